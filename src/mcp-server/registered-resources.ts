import { lintResource } from './lint-resource.js';
import type { ResourceHub } from './resource-hub.js';
import type { ResourceEntry } from './resource-set.js';

/** What a handle knows of one resource. */
export interface Registered<Definition> {
  readonly definition: Definition;
  readonly entry: ResourceEntry;
}

/**
 * The resources that one call registered. Every change reaches the client by itself: `resources/updated` for those who
 * subscribed, `resources/list_changed` where the list is another one.
 */
export abstract class RegisteredResources<Definition, Content> {
  protected readonly helper: string;
  protected readonly hub: ResourceHub;
  readonly #definitions = new Map<string, Definition>();

  protected constructor(helper: string, hub: ResourceHub) {
    this.helper = helper;
    this.hub = hub;
  }

  /** The URIs of what is registered here now, in order. */
  get uris(): readonly string[] {
    return [...this.#definitions.keys()];
  }

  /**
   * Advice on what is registered here, such as on the style of a host; none when everything is fine. See
   * `lintResource`.
   */
  get warnings(): readonly string[] {
    return this.uris.flatMap((uri) => {
      const resource = this.hub.set.entry(uri)?.resource;
      return resource === undefined ? [] : lintResource({ ...resource }).map((advice) => `${uri}: ${advice}`);
    });
  }

  /**
   * The content of a resource is another one: tells its subscribers, who read it again. For content that a function
   * gives; `set` does it by itself.
   *
   * @throws RangeError when the URI is not registered here.
   */
  update(uri: string): void {
    this.#definitionOf(uri);
    this.hub.notices.changed(uri);
  }

  /**
   * Gives a resource another content, a value or a function, and tells its subscribers.
   *
   * @throws RangeError when the URI is not registered here; TypeError when the content is none.
   */
  set(uri: string, content: Content): void {
    this.replace(this.withContent(this.#definitionOf(uri), content));
  }

  /**
   * Registers more, all or none.
   *
   * @throws TypeError that names the option at fault, or a URI that is there already.
   */
  add(...definitions: readonly Definition[]): void {
    this.addAll(definitions);
  }

  /** The same for a list, of any length. */
  protected addAll(definitions: readonly Definition[]): void {
    const made = definitions.map((definition) => this.register(definition));
    const fresh = new Set<string>();
    for (const { uri } of made.map(({ entry }) => entry.resource)) {
      if (fresh.has(uri) || this.hub.set.entry(uri) !== undefined) {
        throw new TypeError(`${this.helper}: ${uri} is registered already; replace() gives it another definition`);
      }
      fresh.add(uri);
    }
    for (const one of made) this.#put(one);
    if (made.length > 0) this.hub.notices.listChanged();
  }

  /**
   * Gives a resource another definition, found by its URI: other metadata, other content.
   *
   * @throws RangeError when the URI is not registered here; TypeError that names the option at fault.
   */
  replace(definition: Definition): void {
    const made = this.register(definition);
    const { resource } = made.entry;
    this.#definitionOf(resource.uri);
    const before = this.hub.set.entry(resource.uri)?.resource;
    this.#put(made);
    if (JSON.stringify(before) !== JSON.stringify(resource)) this.hub.notices.listChanged();
    this.hub.notices.changed(resource.uri);
  }

  /**
   * Takes resources away.
   *
   * @throws RangeError when a URI is not registered here; then nothing is taken away.
   */
  remove(...uris: readonly string[]): void {
    for (const uri of uris) this.#definitionOf(uri);
    for (const uri of uris) {
      this.#definitions.delete(uri);
      this.hub.set.delete(uri);
    }
    if (uris.length > 0) this.hub.notices.listChanged();
  }

  /** Turns a definition into what is listed and read. @throws TypeError that names the option at fault. */
  protected abstract register(definition: Definition): Registered<Definition>;

  /** The same definition with another content. */
  protected abstract withContent(definition: Definition, content: Content): Definition;

  /** @throws RangeError when the URI is not registered here. */
  #definitionOf(uri: string): Definition {
    const definition = this.#definitions.get(uri);
    if (definition === undefined) throw new RangeError(`${this.helper}: ${uri} is not registered here`);
    return definition;
  }

  #put({ definition, entry }: Registered<Definition>): void {
    this.#definitions.set(entry.resource.uri, definition);
    this.hub.set.put(entry);
  }
}
