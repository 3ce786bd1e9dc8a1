import type { SmcpTool } from '../protocol/index.js';

/** A tool and the Computer that has it. */
export type CatalogTool = SmcpTool & { readonly computer: string };

/** Which Computers are in the office, and which tools they have. Pure: it neither asks nor listens. */
export class ToolCatalog {
  readonly #byComputer = new Map<string, readonly CatalogTool[]>();
  #tools: readonly CatalogTool[] | undefined;

  /** The Computers, in the order in which they came. */
  get computers(): readonly string[] {
    return Object.freeze([...this.#byComputer.keys()]);
  }

  /** The tools of all Computers; the same list until something changes. */
  get tools(): readonly CatalogTool[] {
    this.#tools ??= Object.freeze([...this.#byComputer.values()].flat());
    return this.#tools;
  }

  has(computer: string): boolean {
    return this.#byComputer.has(computer);
  }

  /** @returns whether the Computer was not known. Its tools are not known yet either. */
  add(computer: string): boolean {
    if (this.has(computer)) return false;
    this.#byComputer.set(computer, []);
    return true;
  }

  /** Forgets a Computer and its tools. @returns whether it was known. */
  remove(computer: string): boolean {
    this.#tools = undefined;
    return this.#byComputer.delete(computer);
  }

  /** Takes the place of the Computer's tools. @returns whether the Computer is known; else nothing happens. */
  setTools(computer: string, tools: readonly SmcpTool[]): boolean {
    if (!this.has(computer)) return false;
    this.#tools = undefined;
    this.#byComputer.set(
      computer,
      tools.map((tool) => ({ ...tool, computer })),
    );
    return true;
  }

  /** Forgets everything. */
  clear(): void {
    this.#byComputer.clear();
    this.#tools = undefined;
  }
}
