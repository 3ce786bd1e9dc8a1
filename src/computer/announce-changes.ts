import type { TypedEvents } from '../client/index.js';
import type { ComputerEvents } from './computer-events.js';

/** In the order in which they are sent. */
const ANNOUNCEMENTS = ['server:update_tool_list', 'server:update_config', 'server:update_desktop'] as const;

type Announcement = (typeof ANNOUNCEMENTS)[number];

/** Some peers fetch the tools again only on `update_config`, so both are sent for a change of tools. Protocol §3.2. */
const DUE = {
  toolsChanged: ['server:update_tool_list', 'server:update_config'],
  configChanged: ['server:update_config'],
  desktopChanged: ['server:update_desktop'],
} as const satisfies Partial<Record<keyof ComputerEvents, readonly Announcement[]>>;

/**
 * Tells the office of every change, each thing once for what changes together: disabling a server changes the
 * configuration and the tools, and is one `update_config`.
 *
 * @param announce - must not throw.
 */
export function announceChanges(
  events: TypedEvents<ComputerEvents>,
  announce: (announcement: Announcement) => void,
): void {
  const due = new Set<Announcement>();
  const flush = (): void => {
    const now = ANNOUNCEMENTS.filter((announcement) => due.has(announcement));
    due.clear();
    for (const announcement of now) announce(announcement);
  };
  for (const event of Object.keys(DUE) as (keyof typeof DUE)[]) {
    events.on(event, () => {
      // What changes together is told within one turn.
      if (due.size === 0) queueMicrotask(flush);
      for (const announcement of DUE[event]) due.add(announcement);
    });
  }
}
