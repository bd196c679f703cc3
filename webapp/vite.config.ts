import { defineConfig, type Plugin } from "vite";

/** Inlines the style sheet, which saves a request before the first paint. The server's CSP allows it by its hash. */
const inlineStyle: Plugin = {
  name: "inline-style",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    const sheet = bundle["index.css"];
    if (page?.type !== "asset" || sheet?.type !== "asset") throw new Error("index.html or index.css was not built");
    const link = /<link rel="stylesheet"[^>]*>/;
    if (!link.test(String(page.source))) throw new Error("index.html links no style sheet");
    page.source = String(page.source).replace(link, () => `<style>${String(sheet.source).trim()}</style>`);
    delete bundle["index.css"];
  },
};

// Built into the Python package. File names have no hashes: the server sets the cache headers.
export default defineConfig({
  base: "./",
  plugins: [inlineStyle],
  build: {
    outDir: "../src/reasons/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 200,
    rollupOptions: {
      output: {
        entryFileNames: "page.js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
});
