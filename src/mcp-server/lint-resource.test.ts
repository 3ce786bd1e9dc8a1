import { describe, expect, it } from 'vitest';
import { lintResource } from './index.js';

const window = (uri: string, more: object = {}): string[] =>
  lintResource({ uri, name: 'w', annotations: { audience: ['assistant'] }, ...more });

describe('lintResource', () => {
  it('says nothing of resources of other schemes', () => {
    expect(lintResource({ uri: 'file:///A?x', name: 'a' })).toEqual([]);
    expect(lintResource({ uri: 'windowed://x', name: 'a' })).toEqual([]);
  });

  it('says nothing of a window or document in good style', () => {
    expect(window('window://com.example.editor/main')).toEqual([]);
    expect(
      lintResource({ uri: 'dpe://com.example.docs/a', annotations: { audience: ['user'] }, _meta: { page_count: 1 } }),
    ).toEqual([]);
  });

  it.each<[string, RegExp]>([
    ['window://Com.Example/a', /^uri: host "Com\.Example" should be lower case/],
    ['window://com.example:80/a', /^uri: host .* should have no port/],
    ['window://editor/a', /^uri: host "editor" should be a reverse domain/],
    ['window://com.example/a?priority=1', /^uri: a query is not allowed/],
    ['window://com.example/a/../b', /^uri: the dot segment/],
    ['window://com.example/中文', /^uri: should be written window:\/\/com\.example\/%E4%B8%AD%E6%96%87/],
    ['WINDOW://com.example/a', /^uri: should be written window:\/\/com\.example\/a/],
    ['window:///a', /^uri: missing host/],
  ])('advises on %s', (uri, advice) => {
    expect(window(uri)).toEqual([expect.stringMatching(advice)]);
  });

  it('asks for a doc-ref', () => {
    expect(lintResource({ uri: 'dpe://com.example.docs/', annotations: { audience: ['user'] } })).toEqual([
      'uri: missing doc-ref after the host',
    ]);
  });

  it.each<[string, object, string]>([
    ['no annotations', { annotations: undefined }, 'annotations.audience'],
    ['an empty audience', { annotations: { audience: [] } }, 'annotations.audience'],
    ['a priority of old peers', { annotations: { audience: ['assistant'], priority: 80 } }, 'annotations.priority'],
    [
      'a time without an offset',
      { annotations: { audience: ['assistant'], lastModified: '2026-01-15 08:30' } },
      'annotations.lastModified',
    ],
    ['a flag as text', { _meta: { fullscreen: 'true' } }, '_meta.fullscreen'],
    ['metadata that is a list', { _meta: [] }, '_meta'],
  ])('names the field for %s', (_, more, field) => {
    expect(window('window://com.example.editor/main', more)).toEqual([expect.stringMatching(`^${field}: `)]);
  });

  it('takes nulls for absent fields', () => {
    expect(window('window://com.example.editor/main', { _meta: { fullscreen: null } })).toEqual([]);
    expect(window('window://com.example.editor/main', { _meta: null })).toEqual([]);
  });
});
