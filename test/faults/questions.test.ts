import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_PARTS } from '#feed/rule-editing/rule-budget.ts';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { Rule } from '#shared/rules/schema.ts';
import { masterWith, testKontor, type TestKontor } from '../stages/kontor.ts';

const rules = (count: number, conditions: number, field: string): Rule[] =>
  Array.from({ length: count }, (_, n) =>
    Rule.parse({
      id: `Rule${String(n).padStart(6, '0')}`,
      name: `Regel ${n}`,
      active: true,
      querys: Array.from({ length: conditions }, (_, k) => ({
        id: `q${k}`,
        field,
        select: 'not_contains',
        value: `wort ${n} ${k} ${'x'.repeat(30)}`,
      })),
      actions: [{ id: 'a', field: 'titel', select: 'set', value: [{ type: '_string', value: `${n}` }] }],
    }),
  );
const asked = [api.ruleCounts, api.ruleEffect, api.ruleFindings, api.ruleStatistics, api.ruleImpact] as const;

describe('queries that compute on a whole catalogue (T22)', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    const fields = Array.from({ length: 30 }, (_, n) => `feld${n}`);
    const rows = Array.from(
      { length: 200 },
      (_, n) => `A-${n};Ware ${n};${fields.map((_, k) => `wert ${n * k}`).join(';')}`,
    );
    masterid = await masterWith(kontor, [`sku;titel;${fields.join(';')}`, ...rows].join('\n'), { key: 'sku' });
  });
  afterAll(() => kontor.close());

  const ask = async (call: Call, list: readonly Rule[], signal?: AbortSignal) => {
    const answer = await kontor.raw(pathOf(call, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rules: list, data: list.at(-1)?.id, offset: 0, limit: 10 }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  it.each(asked.map((call) => [call.path, call] as const))(
    '%s refuses rules that are too large, and says which to narrow',
    async (_path, call) => {
      const list = [...rules(3, 50, '@ALL@'), ...rules(400, 20, 'titel').slice(3)];
      const { status, text } = await ask(call, list);
      expect([status, text]).toEqual([422, expect.stringContaining('question_too_large')]);
      expect(text).toContain('Die größte ist „Regel 0“');
      expect(text).toContain('bestimmte Felder');
    },
  );

  it.each(asked.map((call) => [call.path, call] as const))(
    '%s answers a query just within the budget, and other requests meanwhile',
    async (_path, call) => {
      const list = rules(200, MOST_PARTS / 200 - 1, 'titel');
      const state = { over: false };
      const answer = ask(call, list).finally(() => {
        state.over = true;
      });
      const alive: number[] = [];
      while (!state.over) alive.push((await kontor.raw('/livez')).status);
      expect((await answer).status).toBe(200);
      expect(alive.length).toBeGreaterThan(0);
      expect(new Set(alive)).toEqual(new Set([200]));
    },
  );
});

describe('queries that take too long (T22)', () => {
  it('are ended with a reason, and one whose client has disconnected frees its slot', async () => {
    const kontor = await testKontor(
      {},
      { questions: { atOnce: 1, perCompany: 1, perUser: 1, waiting: 1, waitingPerUser: 1, mostMs: 1 } },
    );
    try {
      const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
      const path = pathOf(api.ruleCounts, { masterid });
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ rules: rules(60, 40, 'titel') }),
      };
      const answer = await kontor.raw(path, init);
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('dauert zu lange')]);
      const gone = new AbortController();
      const left = kontor.raw(path, { ...init, signal: gone.signal });
      gone.abort();
      await expect(left).rejects.toThrow();
      // There is only one slot for all: if it were not released, the test would wait forever.
      expect((await kontor.raw(path, init)).status).toBe(422);
      // One query runs, one waits, and further ones are refused.
      const answers = await Promise.all(Array.from({ length: 12 }, async () => (await kontor.raw(path, init)).status));
      expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0);
      expect(answers.every((status) => status === 429 || status === 422)).toBe(true);
    } finally {
      await kontor.close();
    }
  });
});
