import { existsSync } from 'node:fs';
import { networkSettings, type NetworkOptions, type NetworkSettings } from '../../client/index.js';
import { Computer, readConfigFiles, type ComputerConfig } from '../../computer/index.js';
import type { McpServerConfig } from '../../protocol/index.js';
import type { FlagValues } from '../flags/flags.js';
import { networkOptions } from '../flags/network-flags.js';
import { defaultConfigFile, placeOf, type PlaceContext } from '../places.js';
import type { DOCTOR_FLAGS } from './flags.js';

/** What the process is to a check; another one in tests. */
export interface DoctorMachine extends PlaceContext {
  readonly nodeVersion: string;
  /** What the package says of itself. */
  readonly package: { readonly version: string; readonly engines: { readonly node: string } };
  readonly terminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly colour: boolean;
    readonly columns: number | undefined;
  };
  /** The time, in ms since 1970. */
  readonly now: () => number;
}

/** A configuration that was read, and a Computer that has it and starts nothing. */
export interface LoadedConfig {
  readonly config: ComputerConfig;
  readonly computer: Computer;
  /** Those that would be started. */
  readonly servers: readonly McpServerConfig[];
}

/** What the checks look at. */
export interface DoctorContext {
  readonly flags: FlagValues<typeof DOCTOR_FLAGS>;
  readonly machine: DoctorMachine;
  /** The configuration files: those that were named, else the usual one if it is there. */
  readonly files: readonly string[];
  /** @throws ConfigError; `undefined` when there is no file. */
  loaded(): Promise<LoadedConfig | undefined>;
  /** @throws UsageError when a file cannot be read; TypeError for what is in one. */
  network(): { readonly options: NetworkOptions; readonly settings: NetworkSettings };
  /** Where the logins are. */
  readonly logins: string;
}

/** Makes what the checks look at, and closes it with `await using`. Nothing is read before a check asks for it. */
export class Surroundings implements DoctorContext, AsyncDisposable {
  readonly flags: DoctorContext['flags'];
  readonly machine: DoctorMachine;
  readonly files: readonly string[];
  #loading: Promise<LoadedConfig | undefined> | undefined;

  /** @param named - the configuration files of the command line. */
  constructor(named: readonly string[], flags: DoctorContext['flags'], machine: DoctorMachine) {
    this.flags = flags;
    this.machine = machine;
    const usual = defaultConfigFile(machine);
    this.files = named.length > 0 || !existsSync(usual) ? named : [usual];
  }

  get logins(): string {
    return this.flags.logins ?? placeOf('logins', this.machine);
  }

  loaded(): Promise<LoadedConfig | undefined> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  network(): { readonly options: NetworkOptions; readonly settings: NetworkSettings } {
    const options = networkOptions(this.flags, this.machine.env);
    return { options, settings: networkSettings(options) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const loaded = await this.#loading?.catch(() => undefined);
    await loaded?.computer.close();
  }

  async #load(): Promise<LoadedConfig | undefined> {
    if (this.files.length === 0) return undefined;
    const config = await readConfigFiles(this.files);
    const computer = new Computer({ config: harmless(config), env: this.machine.env });
    computer.start();
    const servers = [...config.servers.values()].map((server) => server.config).filter(({ disabled }) => !disabled);
    return { config, computer, servers };
  }
}

/** In the place of what a program would print; a word that stands nowhere else, because it counts as a secret. */
const PRINTED = 'what-the-program-prints';

/** Nothing is started, and no program is run for the value of an input. */
function harmless(config: ComputerConfig): ComputerConfig {
  const servers = [...config.servers].map(
    ([name, server]) => [name, { ...server, config: { ...server.config, disabled: true } }] as const,
  );
  const inputs = [...config.inputs].map(([id, input]) => {
    if (input.type !== 'command') return [id, input] as const;
    return [id, { type: 'promptString', id, description: input.description, default: PRINTED }] as const;
  });
  return { ...config, servers: new Map(servers), inputs: new Map(inputs) };
}
