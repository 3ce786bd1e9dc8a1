import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { cutToLimit } from './cut-to-limit.js';
import { organizeDesktop, type CollectedWindow } from './organize-desktop.js';

interface VectorWindow {
  readonly server: string;
  readonly uri: string;
  readonly annotations?: unknown;
  readonly _meta?: unknown;
  readonly text?: readonly string[];
  readonly blob?: readonly string[];
  readonly contents?: readonly unknown[];
}
interface Vector {
  readonly name: string;
  readonly windows: readonly VectorWindow[];
  readonly size: number | null;
  readonly history: readonly string[];
  readonly warn?: number;
  readonly desktops: readonly string[];
}
const vectors = JSON.parse(readFileSync(new URL('../../../test-vectors/desktop.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Vector[];
};

function collected({ server, text = [], blob = [], contents, ...resource }: VectorWindow): CollectedWindow {
  const given = [...text.map((part) => ({ text: part })), ...blob.map((part) => ({ blob: part }))];
  return { server, resource: resource, contents: contents ?? given };
}

function windowOf(uri: string, extra: JsonObject = {}, server = 'a'): CollectedWindow {
  return { server, resource: { uri, ...extra }, contents: [{ uri, text: `text of ${uri}` }] };
}

const windows = fc.array(
  fc.record({
    server: fc.constantFrom('a', 'b', 'ü', 'constructor'),
    resource: fc.record(
      {
        uri: fc.oneof(fc.constantFrom('window://h/1', 'window://h/2?x', 'WINDOW://H/3#y', 'window://h'), fc.string()),
        annotations: fc.oneof(fc.jsonValue(), fc.record({ priority: fc.oneof(fc.double(), fc.jsonValue()) })),
        _meta: fc.oneof(fc.jsonValue(), fc.record({ fullscreen: fc.oneof(fc.boolean(), fc.jsonValue()) })),
      },
      { requiredKeys: ['uri'] },
    ),
    contents: fc.array(fc.oneof(fc.record({ text: fc.string() }), fc.jsonValue()), { maxLength: 3 }),
  }),
  { maxLength: 12 },
);

describe('organizeDesktop', () => {
  it.each(vectors.cases)(
    '$name [R-8.1-fullscreen] [R-4.3-absent-null] [R-8.1-order]',
    ({ windows: given, size, history, warn, desktops }) => {
      const organized = organizeDesktop(given.map(collected), { size, history });
      expect(organized.desktops).toEqual(desktops);
      if (warn === undefined) expect(organized.problems).toEqual([]);
      else expect(organized.problems.length).toBeGreaterThanOrEqual(warn);
    },
  );

  it.each([
    ['window://a/1?v=1', ['window://a/1\n\ntext of window://a/1?v=1']],
    ['window://a/1', ['window://a/1\n\ntext of window://a/1?v=1']],
    ['window://a/2\n\ntext of window://a/2', ['window://a/2\n\ntext of window://a/2']],
    ['window://A/1', []],
    ['window://a/3', []],
    ['', []],
  ])('shows for the window %j exactly that one, fullscreen or not', (window, desktops) => {
    const given = [
      windowOf('window://a/1?v=1'),
      windowOf('window://a/2'),
      windowOf('window://a/full', { _meta: { fullscreen: true } }),
    ];
    expect(organizeDesktop(given, { window, history: [] }).desktops).toEqual(desktops);
  });

  it('orders servers without calls by code units', () => {
    const given = ['b', 'ä', 'B', 'a'].map((server) => windowOf(`window://h/${server}`, {}, server));
    const hosts = organizeDesktop(given, { history: [] }).desktops.map((text) => text.split('\n')[0]);
    expect(hosts).toEqual(['window://h/B', 'window://h/a', 'window://h/b', 'window://h/ä']);
  });

  it('bears any metadata, never gives more than the size, and at most one fullscreen window a server', () => {
    fc.assert(
      fc.property(
        windows,
        fc.option(fc.integer({ min: -3, max: 20 })),
        fc.array(fc.string()),
        (given, size, history) => {
          const { desktops } = organizeDesktop(given, { size, history });
          if (size !== null) expect(desktops.length).toBeLessThanOrEqual(Math.max(0, size));
          expect(organizeDesktop(given, { size, history }).desktops).toEqual(desktops);
          expect(organizeDesktop(given, { history }).desktops.slice(0, desktops.length)).toEqual(desktops);
        },
      ),
    );
  });

  it('gives the same desktop in whichever order the servers were collected', () => {
    fc.assert(
      fc.property(windows, fc.array(fc.constantFrom('a', 'b')), (given, history) => {
        const regrouped = ['ü', 'b', 'constructor', 'a'].flatMap((name) =>
          given.filter(({ server }) => server === name),
        );
        expect(organizeDesktop(regrouped, { history }).desktops).toEqual(organizeDesktop(given, { history }).desktops);
      }),
    );
  });
});

/** Windows of two servers, each under a URI of its own that says what it is like. */
const plainWindows = fc
  .array(
    fc.record({
      server: fc.constantFrom('a', 'b'),
      priority: fc.constantFrom(0, 0.25, 0.5, 1),
      fullscreen: fc.constantFrom(false, false, true),
    }),
    { maxLength: 10 },
  )
  .map((list) =>
    list.map(
      ({ server, priority, fullscreen }, index): CollectedWindow & { priority: number; fullscreen: boolean } => ({
        ...windowOf(`window://${server}/${index}`, { annotations: { priority }, _meta: { fullscreen } }, server),
        priority,
        fullscreen,
      }),
    ),
  );

describe('organizeDesktop, for any windows', () => {
  const shownOf = (given: readonly CollectedWindow[], server: string): string[] =>
    organizeDesktop(given, { history: [] })
      .desktops.map((text) => text.split('\n', 1)[0] ?? '')
      .filter((uri) => uri.startsWith(`window://${server}/`));

  it('shows of each server all windows, or only the first that is fullscreen', () => {
    fc.assert(
      fc.property(plainWindows, (given) => {
        for (const name of ['a', 'b']) {
          const own = given.filter(({ server }) => server === name);
          const first = own.find(({ fullscreen }) => fullscreen);
          const expected = (first === undefined ? own : [first]).map(({ resource }) => resource['uri']);
          expect(shownOf(given, name).toSorted()).toEqual(expected.toSorted());
        }
      }),
    );
  });

  it('orders by priority alone: another order of listing changes only what is equal, or which fullscreen window is first', () => {
    const shuffled = plainWindows.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray([...given], { minLength: given.length, maxLength: given.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([given, permuted]) => {
        for (const name of ['a', 'b']) {
          if (given.some(({ server, fullscreen }) => server === name && fullscreen)) continue;
          const priorityOf = (uri: string): number =>
            given.find(({ resource }) => resource['uri'] === uri)?.priority ?? -1;
          const [before, after] = [shownOf(given, name), shownOf(permuted, name)];
          expect(after.toSorted()).toEqual(before.toSorted());
          expect(after.map(priorityOf)).toEqual(before.map(priorityOf));
          expect(before.map(priorityOf)).toEqual(before.map(priorityOf).toSorted((one, two) => two - one));
        }
      }),
    );
  });
});

describe('cutToLimit', () => {
  const sizeOf = (desktops: readonly string[]): number => JSON.stringify(desktops).length;

  it('leaves alone what fits', () => {
    expect(cutToLimit(['a', 'b'], sizeOf, 9)).toEqual(['a', 'b']);
  });

  it('ends a cut desktop with the marker, and keeps as many windows as fit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 90 }), { minLength: 1 }),
        fc.integer({ min: 45, max: 400 }),
        (all, limit) => {
          const cut = cutToLimit(all, sizeOf, limit);
          expect(sizeOf(cut)).toBeLessThanOrEqual(limit);
          if (cut === all) return;
          expect(cut.at(-1)).toBe(`[desktop truncated: ${all.length - cut.length + 1} more windows]`);
          expect(cut.slice(0, -1)).toEqual(all.slice(0, cut.length - 1));
        },
      ),
    );
  });

  it('gives only the marker when not even one window fits', () => {
    expect(cutToLimit(['x'.repeat(500)], sizeOf, 100)).toEqual(['[desktop truncated: 1 more windows]']);
  });
});
