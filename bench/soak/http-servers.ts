import { Child } from '../support/child.js';

const PROGRAM = new URL('../support/http-server.ts', import.meta.url);

/** HTTP servers that the soak itself runs, each on a port of its own that it keeps when it is started anew. */
export class HttpServers implements AsyncDisposable {
  /** Their addresses. */
  readonly urls: readonly string[];
  readonly #children: (Child | undefined)[];
  #restarts: Promise<void> = Promise.resolve();

  private constructor(children: readonly Child[], urls: readonly string[]) {
    this.#children = [...children];
    this.urls = urls;
  }

  /** Starts so many of them. */
  static async start(count: number): Promise<HttpServers> {
    const children = Array.from({ length: count }, () => new Child(PROGRAM));
    const urls = await Promise.all(children.map(async (child) => (await child.ask<{ url: string }>({})).url));
    return new HttpServers(children, urls);
  }

  /** Kills one and starts it again after a while, in ms. One at a time. */
  restart(index: number, afterMs: number): Promise<void> {
    this.#restarts = this.#restarts.then(async () => {
      await this.#children[index]?.[Symbol.asyncDispose]();
      this.#children[index] = undefined;
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const child = new Child(PROGRAM, [new URL(this.urls[index] ?? '').port]);
      this.#children[index] = child;
      await child.ask({});
    });
    return this.#restarts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#restarts;
    await Promise.all(this.#children.map(async (child) => child?.[Symbol.asyncDispose]()));
  }
}
