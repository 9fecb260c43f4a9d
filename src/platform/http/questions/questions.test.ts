import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { QuestionKind } from '#shared/http/call.ts';
import { unprocessable } from '#platform/errors.ts';
import { prometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { Questions, defaultQuestionLimits } from './questions.ts';
import type { Principal } from '#platform/http/server.ts';

const principal: Principal = {
  company: 'A',
  companyName: 'A',
  userId: 'u1',
  name: 'Anna',
  email: 'anna@beispiel.de',
  role: 'viewer',
  permissions: ['read'],
  by: 'session',
};
const never = new AbortController().signal;
const one = { ...defaultQuestionLimits.catalogue, atOnce: 1, perCompany: 1, perUser: 1 };
const free = async (questions: Questions, kind: 'catalogue' | 'file' = 'catalogue') => {
  const gone = AbortSignal.timeout(100);
  return ask(questions, kind, gone, async () => true).catch(() => false);
};
const ask = async <T>(questions: Questions, kind: QuestionKind, signal: AbortSignal, work: () => Promise<T>) =>
  questions.ask(await questions.take(kind, { principal, signal }), signal, work);

describe('the limits of expensive queries (T22)', () => {
  it('failing work frees its slot', async () => {
    const questions = new Questions(one);
    const fails = ask(questions, 'catalogue', never, () => Promise.reject(new Error('x')));
    await expect(fails).rejects.toThrow('x');
    expect(await free(questions)).toBe(true);
  });

  it('the waiting time for a slot is measured per kind only, without personal data', async () => {
    const metrics = prometheusMetrics();
    const questions = new Questions(one, metrics);
    const first = await questions.take('catalogue', { principal, signal: never });
    const second = questions.take('catalogue', { principal, signal: never });
    await wait(60);
    first.end();
    (await second).end();
    const text = await metrics.text();
    expect(text).toContain('kontor_question_wait_seconds_count{kind="catalogue"} 2');
    const sum = /kontor_question_wait_seconds_sum\{kind="catalogue"\} (\S+)/.exec(text)?.[1];
    expect(Number(sum)).toBeGreaterThan(0.05);
    expect(text).not.toContain('anna');
  });

  it('a query that is too large keeps its slot for a moment, so that repeating it does not hold up others', async () => {
    const questions = new Questions(one);
    const tooLarge = () => Promise.reject(unprocessable('question_too_large', 'Zu groß.'));
    const refused = expect(ask(questions, 'catalogue', never, tooLarge)).rejects.toThrow('Zu groß.');
    expect(await free(questions)).toBe(false);
    await refused;
    expect(await free(questions)).toBe(true);
    const gone = new AbortController();
    const left = expect(ask(questions, 'catalogue', gone.signal, tooLarge)).rejects.toThrow('weg');
    gone.abort(new Error('weg'));
    await left;
    expect(await free(questions)).toBe(true);
  });

  it('a streamed answer keeps its slot until it is read or its client disconnects', async () => {
    const questions = new Questions(one);
    const gone = new AbortController();
    const endless = new Readable({ read() {} });
    expect(await ask(questions, 'catalogue', gone.signal, async () => endless)).toBe(endless);
    expect(await free(questions)).toBe(false);
    gone.abort();
    expect(await free(questions)).toBe(true);
    expect(endless.destroyed).toBe(true);

    const short = await ask(questions, 'catalogue', never, async () => Readable.from(['a', 'b']));
    expect(await free(questions)).toBe(false);
    expect(await short.toArray()).toEqual(['a', 'b']);
    expect(await free(questions)).toBe(true);
  });

  it('downloading files does not use up the slots of catalogue queries', async () => {
    const questions = new Questions(one);
    const hold = () => new Promise<void>(() => {});
    for (let n = 0; n < defaultQuestionLimits.file.perUser; n++) void ask(questions, 'file', never, hold);
    await wait(0);
    expect([await free(questions, 'file'), await free(questions)]).toEqual([false, true]);
  });
});
