import { describe, expect, it } from 'vitest';
import type { ResourceListing } from '../resource-watch.js';
import { HostIndex } from './host-index.js';

function listing(uris: readonly string[], templates: readonly string[] = []): ResourceListing {
  return {
    resources: uris.map((uri) => ({ uri })),
    templates: templates.map((uriTemplate) => ({ uriTemplate })),
  };
}

describe('HostIndex', () => {
  it('finds servers by the host of documents and templates, whatever the case, not by windows', () => {
    const index = new HostIndex();
    index.update(
      'docs',
      listing(['dpe://Com.Docs/a', 'window://com.w/1', 'file:///x', 'dpe://nodoc'], ['dpe://com.t/{ref}']),
    );
    const find = (host: string): readonly string[] => index.find(host, ['docs']);
    expect([find('com.docs'), find('COM.T'), find('com.w'), find('nodoc'), find('')]).toEqual([
      ['docs'],
      ['docs'],
      [],
      [],
      [],
    ]);
  });

  it.each(['dpe://{host}/x', 'dpe://a{b}/x', 'dpe://a{/path*}'])('does not count the template %s', (template) => {
    const index = new HostIndex();
    index.update('docs', listing([], [template]));
    expect(index.find('a', ['docs'])).toEqual([]);
    expect(index.find('{host}', ['docs'])).toEqual([]);
  });

  it('prefers by order of registration, not of start-up, and keeps the hosts of a server until it is removed', () => {
    const index = new HostIndex();
    index.update('second', listing(['dpe://h/1']));
    index.update('first', listing(['dpe://h/2']));
    expect(index.find('h', ['first', 'second'])).toEqual(['first', 'second']);
    index.remove('first');
    expect(index.find('h', ['first', 'second'])).toEqual(['second']);
  });

  it('names each shared host once, windows included, and again when it was gone in between [R-8.3-shared-host]', () => {
    const index = new HostIndex();
    expect(index.update('a', listing(['window://Shared/1', 'dpe://own/1']))).toEqual([]);
    const conflict = { host: 'shared', servers: ['a', 'b'] };
    expect(index.update('b', listing(['dpe://shared/1']))).toEqual([conflict]);
    expect(index.update('b', listing(['dpe://shared/1', 'dpe://shared/2']))).toEqual([]);
    expect(index.update('a', listing(['window://shared/9']))).toEqual([]);
    index.update('b', listing([]));
    expect(index.update('b', listing(['dpe://shared/1']))).toEqual([conflict]);
  });

  it('gives the first of equal documents as listed', () => {
    const index = new HostIndex();
    const resources = [
      { uri: 'dpe://h/1', name: 'one' },
      { uri: 'dpe://h/1', name: 'two' },
    ];
    index.update('a', { resources, templates: [] });
    expect(index.resource('a', 'dpe://h/1')).toBe(resources[0]);
    expect(index.resource('a', 'dpe://h/2')).toBeUndefined();
  });

  it('shows every host with who has its documents and who uses it at all, in the order of registration', () => {
    const index = new HostIndex();
    index.update('b', listing(['dpe://Shared/1', 'window://w/1']));
    index.update('a', listing(['dpe://shared/2', 'window://shared/1']));
    index.update('c', listing(['window://shared/1']));
    expect(index.hosts(['a', 'b', 'c', 'd'])).toEqual([
      { host: 'shared', servers: ['a', 'b'], usedBy: ['a', 'b', 'c'] },
      { host: 'w', servers: [], usedBy: ['b'] },
    ]);
  });
});
