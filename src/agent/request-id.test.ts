import { afterEach, describe, expect, it, vi } from 'vitest';
import { newRequestId, randomDigits } from './request-id.js';

describe('newRequestId', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('is a fresh UUID', () => {
    expect(newRequestId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(newRequestId()).not.toBe(newRequestId());
  });

  it('falls back to random digits where a page has no secure context', () => {
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(10) });
    expect(newRequestId()).toBe('0a'.repeat(16));
    expect(randomDigits(2)).toBe('0a0a');
  });
});
