import { describe, expect, it } from 'vitest';
import { MAX_DROPPED, surveyOf } from './desktop-status.js';

describe('surveyOf', () => {
  it('counts resources and windows, and says what is dropped and why', () => {
    const uris = [
      'window://a/1',
      'WINDOW://a/2',
      'dpe://a/d',
      'window://a/1',
      'window:x',
      ' window://a/3',
      'file:///w',
    ];
    expect(surveyOf(uris.map((uri) => ({ uri })))).toEqual({
      resources: 7,
      windows: 2,
      dropped: [
        { uri: 'window://a/1', problem: 'is listed more than once; the first one counts' },
        { uri: 'window:x', problem: 'is no window URI: window://HOST/PATH is' },
        { uri: ' window://a/3', problem: 'is no window URI: window://HOST/PATH is' },
      ],
    });
  });

  it('says little of a list that is all wrong, and nothing of what is no resource', () => {
    const many = Array.from({ length: 1_000 }, () => ({ uri: `window:${'x'.repeat(10_000)}` }));
    const { windows, dropped } = surveyOf(many);
    expect([windows, dropped.length]).toEqual([0, MAX_DROPPED]);
    expect(dropped[0]?.uri).toHaveLength(300);
    expect(surveyOf([{}, { uri: null }, { uri: 7 }])).toEqual({ resources: 3, windows: 0, dropped: [] });
  });
});
