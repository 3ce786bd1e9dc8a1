import type { ResourcePage } from '../../agent/index.js';
import type { JsonObject } from '../../protocol/index.js';
import { withAck } from '../with-agent.js';
import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import { requestOptions, type Asking } from './asking.js';
import { nobodyThere } from './why-not-there.js';

/** Lists who is in the office. */
export async function showRoom(asking: Asking): Promise<void> {
  const { ack, answer } = await withAck((onAck) => asking.agent.listRoom({ ...requestOptions(asking), ...onAck }));
  asking.show(ack, (terminal) => {
    const rows = answer.map(({ role, name, protocolVersion }) => [role, name, protocolVersion ?? '']);
    for (const line of renderTable(rows, terminal.width)) terminal.line(line);
    if (!answer.some(({ role }) => role === 'computer')) terminal.note(printable(nobodyThere(asking)));
  });
}

/** Shows the configuration of a Computer. */
export async function showConfig(asking: Asking, computer: string): Promise<void> {
  const { ack, answer } = await withAck((onAck) =>
    asking.agent.getConfig(computer, { ...requestOptions(asking), ...onAck }),
  );
  asking.show(ack, (terminal) => {
    terminal.line(printable(JSON.stringify(answer, null, 2)));
  });
}

/** Which resources are wanted. */
export interface WantedResources {
  readonly computer: string;
  readonly server: string;
  /** Every page; otherwise one. */
  readonly all: boolean;
  readonly cursor?: string | undefined;
}

/** Lists the resources of an MCP server. */
export async function showResources(asking: Asking, { computer, server, all, cursor }: WantedResources): Promise<void> {
  const { agent } = asking;
  const options = requestOptions(asking);
  if (all) {
    const resources: JsonObject[] = [];
    for await (const resource of agent.resources(computer, server, options)) resources.push(resource);
    showPage(asking, { resources }, { resources });
    return;
  }
  const { ack, answer } = await withAck((onAck) =>
    agent.getResources(computer, server, { ...options, ...(cursor === undefined ? {} : { cursor }), ...onAck }),
  );
  showPage(asking, ack, answer);
}

function showPage(asking: Asking, value: unknown, { resources, nextCursor }: ResourcePage): void {
  asking.show(value, (terminal) => {
    for (const line of renderTable(resources.map(resourceRow), terminal.width)) terminal.line(line);
    if (resources.length === 0) terminal.note('no resources');
    if (nextCursor !== undefined) terminal.note(printable(`more with --cursor ${nextCursor}, or --all`));
  });
}

function resourceRow({ uri, name, mimeType }: JsonObject): string[] {
  return [uri, mimeType, name].map((cell) => (typeof cell === 'string' ? cell : ''));
}
