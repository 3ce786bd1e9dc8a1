import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  getConfigAnswerSchema,
  getDesktopAnswerSchema,
  getDpeAnswerSchema,
  getResourcesAnswerSchema,
  getToolsAnswerSchema,
  listRoomAnswerSchema,
} from '../index.js';

const session = { sid: 's', name: 'n', role: 'agent', office_id: 'o' };

describe('answers are read tolerantly', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['tools, broken ones included', getToolsAnswerSchema, { tools: [{ name: 1 }, null], req_id: null }],
    ['a configuration without inputs', getConfigAnswerSchema, { servers: {} }],
    ['a configuration with null inputs', getConfigAnswerSchema, { servers: { s: 1 }, inputs: null, req_id: 'r' }],
    ['a desktop', getDesktopAnswerSchema, { desktops: ['window://h'], req_id: 'r' }],
    ['a desktop of null', getDesktopAnswerSchema, { desktops: null }],
    ['resources, broken ones included', getResourcesAnswerSchema, { resources: [null, { uri: 1 }] }],
    ['a last page with a null cursor', getResourcesAnswerSchema, { resources: [], next_cursor: null, req_id: 'r' }],
    ['a document', getDpeAnswerSchema, { uri: 'https://h/d', mime_type: null, size: null, name: 'x' }],
    ['a room', listRoomAnswerSchema, { sessions: [session, { ...session, a2c_version: '0.2.0' }], req_id: 'r' }],
  ])('%s', (_, schema, answer) => {
    expect(schema.safeParse(answer).success).toBe(true);
  });

  it.each<[string, z.ZodType, unknown]>([
    ['tools that are no list', getToolsAnswerSchema, { tools: {} }],
    ['a configuration without servers', getConfigAnswerSchema, { inputs: [] }],
    ['servers that are a list', getConfigAnswerSchema, { servers: [] }],
    ['desktops that are no texts', getDesktopAnswerSchema, { desktops: [1] }],
    ['no resources', getResourcesAnswerSchema, { next_cursor: 'x' }],
    ['a document without a URI', getDpeAnswerSchema, { mime_type: 'x' }],
    ['a member without a name', listRoomAnswerSchema, { sessions: [{ ...session, name: null }] }],
    ['a member of another role', listRoomAnswerSchema, { sessions: [{ ...session, role: 'admin' }] }],
  ])('but not %s', (_, schema, answer) => {
    expect(schema.safeParse(answer).success).toBe(false);
  });
});
