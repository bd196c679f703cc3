/** ELK in a web worker of one drawing: an unfinished layout is terminated when another is requested. */
import ELK, { type ELK as Elk, type ElkNode } from "elkjs/lib/elk-api.js";
import url from "elkjs/lib/elk-worker.min.js?url";

export class LayoutWorker {
  private elk: Elk | null = null;
  private busy = false;

  async layout(graph: ElkNode): Promise<ElkNode> {
    if (this.busy) this.terminate();
    this.elk ??= new ELK({ workerUrl: url, workerFactory: (path?: string) => new Worker(path!) });
    this.busy = true;
    const result = await this.elk.layout(graph);
    this.busy = false;
    return result;
  }

  terminate(): void {
    this.elk?.terminateWorker();
    this.elk = null;
    this.busy = false;
  }
}
