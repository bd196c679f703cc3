import { defineConfig, type Plugin } from "vite";

/** The style sheet inside the page: nothing is painted without it. The server's policy names its hash. */
const styleInside: Plugin = {
  name: "style-inside",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    const sheet = bundle["index.css"];
    if (page?.type !== "asset" || sheet?.type !== "asset") throw new Error("no page, or no style sheet");
    const link = /<link rel="stylesheet"[^>]*>/;
    if (!link.test(String(page.source))) throw new Error("the page has no style sheet");
    page.source = String(page.source).replace(link, () => `<style>${String(sheet.source).trim()}</style>`);
    delete bundle["index.css"];
  },
};

// Built into the Python package, under names without hashes: the server says how long they may be kept.
export default defineConfig({
  base: "./",
  plugins: [styleInside],
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
