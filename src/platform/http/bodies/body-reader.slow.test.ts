import { describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { BodyReader } from './body-reader.ts';

describe('bodies that are parsed on a separate thread (T22)', () => {
  const reader = new BodyReader();
  const rows = Array.from({ length: 3000 }, (_, n) => ({
    id: `r${n}`,
    field: [{ type: '_field', value: 'Titel' }],
    filter: 'contains',
    value: `wort ${n}`,
    target: `t${n}`,
  }));
  const read = (body: unknown) => reader.read(api.countRows, JSON.stringify(body));

  it('are parsed by their schema, several at once, each returned to its own request', async () => {
    const bodies = [1, 2, 3].map((count) => ({ table: 'mapping', rows: rows.slice(0, count * 1000) }));
    const answers = await Promise.all(bodies.map((body) => read(body)));
    expect(answers).toEqual(bodies.map((body) => ({ body: api.countRows.body.parse(body) })));
  });

  it('are refused in German with the wrong fields, like small ones', async () => {
    await expect(read({ table: 'mapping', rows: [...rows, { ...rows[0], field: 7 }] })).rejects.toMatchObject({
      status: 422,
      code: 'invalid',
      message: expect.stringContaining('Die Angaben sind unvollständig oder falsch'),
      fields: expect.arrayContaining([expect.objectContaining({ field: expect.stringMatching(/^rows\.3000/) })]),
    });
    await expect(read({ table: 'mapping', rows: [{ ...rows[0], target: 'a\0b' }] })).rejects.toMatchObject({
      status: 422,
      code: 'nul_character',
    });
  });

  it('that are invalid JSON or would change prototypes are not accepted', async () => {
    expect(await reader.read(api.countRows, '{"rows":')).toBeUndefined();
    expect(await reader.read(api.countRows, '{"__proto__":{"rows":[]}}')).toBeUndefined();
  });
});
