import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from '../../agent/index.js';
import { Computer, FileDpeResolver, type ToolProgressReport } from '../../computer/index.js';
import type { Logger } from '../../protocol/index.js';
import { Server } from '../../server/index.js';
import { demoServers } from './demo-servers.js';

/** The names of the demonstration. */
export const OFFICE = 'demo-office';
export const COMPUTER = 'demo-computer';

/** A Computer that is in the office, its MCP servers running. */
export interface StartedComputer {
  readonly computer: Computer;
  /** Where the filesystem server may read and write. */
  readonly folder: string;
  /** Packages that are not installed here. */
  readonly missing: readonly string[];
}

/** What the demonstration starts, and closes again whatever happens. */
export class DemoOffice implements AsyncDisposable {
  readonly server: Server;
  readonly #logger: Logger;
  readonly #owned: AsyncDisposable[] = [];
  #url = '';

  constructor(logger: Logger) {
    this.#logger = logger;
    this.server = new Server({ logger });
  }

  /** Where the Server listens. */
  get url(): string {
    return this.#url;
  }

  /** Starts the Server on a free loopback port. */
  async startServer(): Promise<string> {
    this.#owned.push(this.server);
    const { url } = await this.server.listen(0);
    this.#url = url;
    return url;
  }

  /**
   * Starts a Computer with its MCP servers and lets it join.
   *
   * @param onProgress - gets the progress of running calls.
   */
  async startComputer(signal: AbortSignal, onProgress: (report: ToolProgressReport) => void): Promise<StartedComputer> {
    const folder = await mkdtemp(join(tmpdir(), 'a2c-demo-'));
    this.#owned.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
    const { servers, missing } = demoServers(folder);
    const documents = new FileDpeResolver();
    const computer = new Computer({
      name: COMPUTER,
      url: this.url,
      servers,
      documents,
      logger: this.#logger,
      onToolProgress: onProgress,
    });
    this.#owned.push(documents, computer);
    computer.start();
    await computer.connect({ signal });
    await computer.joinOffice(OFFICE);
    await computer.settled();
    return { computer, folder, missing };
  }

  /** Connects an Agent and lets it join. */
  async startAgent(signal: AbortSignal): Promise<Agent> {
    const agent = new Agent({ url: this.url, name: 'demo-agent', logger: this.#logger });
    this.#owned.push(agent);
    await agent.connect({ signal });
    await agent.joinOffice(OFFICE);
    return agent;
  }

  /** Closes everything, the last first. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const owned of this.#owned.splice(0).reverse()) await owned[Symbol.asyncDispose]();
  }
}
