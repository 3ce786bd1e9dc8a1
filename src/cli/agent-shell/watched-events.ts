import type { Agent, AgentEvents } from '../../agent/index.js';
import { counted } from '../terminal/render-result.js';

/** How an event is told: to a program by a name and fields, to a person in a sentence. */
interface Telling<E extends keyof AgentEvents> {
  readonly name: string;
  readonly fields: (...args: AgentEvents[E]) => object;
  readonly sentence: (...args: AgentEvents[E]) => string;
  /** It is about the connection, without which nothing works. */
  readonly vital?: boolean;
}

type Watched = { readonly [E in keyof AgentEvents]: Telling<E> };

/** Every event of an Agent, one row each. */
const WATCHED: Watched = {
  computerJoined: {
    name: 'computer_joined',
    fields: ({ computer }) => ({ computer }),
    sentence: ({ computer }) => `${computer} is in the office`,
  },
  computerLeft: {
    name: 'computer_left',
    fields: ({ computer }) => ({ computer }),
    sentence: ({ computer }) => `${computer} has left the office`,
  },
  toolsChanged: {
    name: 'tools_changed',
    fields: ({ computer, tools }) => ({ computer, tools: tools.length }),
    sentence: ({ computer, tools }) => `${computer} shows ${counted(tools.length, 'tool')}`,
  },
  configChanged: {
    name: 'config_changed',
    fields: ({ computer }) => ({ computer }),
    sentence: ({ computer }) => `${computer} has another configuration`,
  },
  desktopChanged: {
    name: 'desktop_changed',
    fields: ({ computer }) => ({ computer }),
    sentence: ({ computer }) => `${computer} shows something else on its desktop`,
  },
  disconnected: {
    name: 'disconnected',
    fields: ({ reason }) => ({ reason }),
    sentence: ({ reason }) => `the connection has gone (${reason}); it is being made again`,
    vital: true,
  },
  rejoined: {
    name: 'rejoined',
    fields: ({ officeId, name }) => ({ office_id: officeId, name }),
    sentence: ({ officeId, name }) => `in office "${officeId}" again, as ${name}`,
    vital: true,
  },
  rejoinFailed: {
    name: 'rejoin_failed',
    fields: ({ error }) => ({ reason: error.message }),
    sentence: ({ error }) => `not in the office: ${error.message}; it is tried again`,
    vital: true,
  },
  refused: {
    name: 'refused',
    fields: ({ error }) => ({ reason: error.message }),
    sentence: ({ error }) => error.message,
    vital: true,
  },
};

/** An event as it is told. */
export interface ToldEvent {
  readonly name: string;
  readonly fields: object;
  readonly sentence: string;
  readonly vital: boolean;
}

/** Calls `tell` at every event of the Agent from now on. @returns what ends it. */
export function watchAgent(agent: Pick<Agent, 'on'>, tell: (event: ToldEvent) => void): () => void {
  const stops = (Object.keys(WATCHED) as (keyof AgentEvents)[]).map((event) =>
    watchEvent(agent, event, WATCHED[event], tell),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

function watchEvent<E extends keyof AgentEvents>(
  agent: Pick<Agent, 'on'>,
  event: E,
  { name, fields, sentence, vital = false }: Watched[E],
  tell: (event: ToldEvent) => void,
): () => void {
  return agent.on(event, (...args) => {
    tell({ name, fields: fields(...args), sentence: sentence(...args), vital });
  });
}
