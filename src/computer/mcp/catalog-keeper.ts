import { isDeepStrictEqual } from 'node:util';
import type { SmcpTool } from '../../protocol/index.js';
import type { DiagnosticLog } from './diagnostic-log.js';
import { redactTool } from './redact-tool.js';
import { buildToolCatalog, listedTools, type CatalogServer, type ToolCatalog } from './tool-catalog.js';

/** What a {@link CatalogKeeper} works with. */
export interface CatalogKeeperOptions {
  /** The servers as they are now, in configuration order. */
  readonly servers: () => readonly CatalogServer[];
  readonly diagnostics: DiagnosticLog;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** The listed tools are others now. Must not throw. */
  readonly onChanged: () => void;
}

/** Keeps the catalogue of tools up to date and tells of real changes only. */
export class CatalogKeeper {
  readonly #options: CatalogKeeperOptions;
  #catalog: ToolCatalog = buildToolCatalog([]);
  #tools: readonly SmcpTool[] = [];
  #held = 0;
  #stale = false;

  constructor(options: CatalogKeeperOptions) {
    this.#options = options;
  }

  get catalog(): ToolCatalog {
    return this.#catalog;
  }

  /** The listed tools, as they go over the wire. */
  get tools(): readonly SmcpTool[] {
    return this.#tools;
  }

  /** Makes the catalogue anew. */
  refresh(): void {
    if (this.#held > 0) {
      this.#stale = true;
      return;
    }
    const { servers, diagnostics, redact, onChanged } = this.#options;
    this.#catalog = buildToolCatalog(servers());
    diagnostics.update('tool catalogue', this.#catalog.diagnostics);
    const tools = listedTools(this.#catalog).map((tool) => redactTool(tool, redact));
    const changed = !isDeepStrictEqual(tools, this.#tools);
    this.#tools = tools;
    if (changed) onChanged();
  }

  /** Makes the catalogue once after `action`, however often that asks for it. */
  hold<T>(action: () => T): T {
    this.#held += 1;
    try {
      return action();
    } finally {
      this.#held -= 1;
      if (this.#held === 0 && this.#stale) {
        this.#stale = false;
        this.refresh();
      }
    }
  }
}
