import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CONFIRMED } from '#shared/http/call.ts';
import { call, onAskedBack } from '#client/call.ts';

/** A server that asks the questions in turn, the last one until its confirmation arrives; returns the confirmations received. */
function asking(...questions: string[]): (string | null)[] {
  const marks: (string | null)[] = [];
  vi.stubGlobal('fetch', (_path: string, init?: RequestInit) => {
    marks.push(new Headers(init?.headers).get(CONFIRMED));
    const [now] = questions;
    if (now === undefined || marks.at(-1) === `Marke: ${now}`)
      return Promise.resolve(Response.json({ ok: true, revision: 1, message: 'Gespeichert' }));
    if (questions.length > 1) questions.shift();
    const error = {
      code: 'limits_confirm',
      message: now,
      requestId: 'r',
      confirm: { mark: `Marke: ${now}`, offers: 102 },
    };
    return Promise.resolve(Response.json({ error }, { status: 409 }));
  });
  return marks;
}

describe('T26 a save that the server asks back about', () => {
  let takeBack = () => {};
  afterEach(() => {
    vi.unstubAllGlobals();
    takeBack();
  });
  const people = (go: boolean) => {
    const read: string[] = [];
    takeBack = onAskedBack(({ message }) => {
      read.push(message);
      return Promise.resolve(go);
    });
    return read;
  };
  const save = (told?: string) => call(api.orderRepricerRules, { params: { masterid: 'm1' }, body: { ids: [] }, told });
  const lower = 'der Mindestpreis sinkt bei 102';

  it('goes out again with the mark of the question once somebody has agreed', async () => {
    const read = people(true);
    const marks = asking(lower);
    await save();
    expect([read, marks]).toEqual([[lower], [null, `Marke: ${lower}`]]);
  });

  it('fails with the server’s words where somebody does not agree, and goes out once', async () => {
    people(false);
    const marks = asking(lower);
    await expect(save()).rejects.toThrow(lower);
    expect(marks).toEqual([null]);
  });

  it('is answered by the page where somebody was told just this, and by somebody where anything else moves, even less of it', async () => {
    const read = people(true);
    const others = ['der Mindestpreis steigt bei 102', 'der Mindestpreis sinkt bei 101'];
    for (const question of [lower, ...others]) {
      asking(question);
      await save(lower);
    }
    expect(read).toEqual(others);
  });

  it('is read where something else moves meanwhile, and again where that is then what was told', async () => {
    const read = people(true);
    const marks = asking(lower, 'anderes', lower);
    await save(lower);
    expect([read, marks]).toEqual([
      ['anderes', lower],
      [null, `Marke: ${lower}`, 'Marke: anderes', `Marke: ${lower}`],
    ]);
  });
});
