import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CONFIRMED } from '#shared/http/call.ts';
import { call, onConfirmationRequest } from '#client/call.ts';

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

describe('T26 a save that the server asks to confirm', () => {
  let takeBack = () => {};
  afterEach(() => {
    vi.unstubAllGlobals();
    takeBack();
  });
  const people = (go: boolean) => {
    const read: string[] = [];
    takeBack = onConfirmationRequest(({ message }) => {
      read.push(message);
      return Promise.resolve(go);
    });
    return read;
  };
  const save = (told?: string) => call(api.orderRepricerRules, { params: { masterid: 'm1' }, body: { ids: [] }, told });
  const lower = 'der Mindestpreis sinkt bei 102';

  it('is sent again with the confirmation mark once the user has agreed', async () => {
    const read = people(true);
    const marks = asking(lower);
    await save();
    expect([read, marks]).toEqual([[lower], [null, `Marke: ${lower}`]]);
  });

  it('fails with the server’s message if the user does not agree, and is sent only once', async () => {
    people(false);
    const marks = asking(lower);
    await expect(save()).rejects.toThrow(lower);
    expect(marks).toEqual([null]);
  });

  it('is confirmed by the page if the user was told exactly this; any other change, even a smaller one, is asked about', async () => {
    const read = people(true);
    const others = ['der Mindestpreis steigt bei 102', 'der Mindestpreis sinkt bei 101'];
    for (const question of [lower, ...others]) {
      asking(question);
      await save(lower);
    }
    expect(read).toEqual(others);
  });

  it('is asked about if another change appears meanwhile, and again if the told one then returns', async () => {
    const read = people(true);
    const marks = asking(lower, 'anderes', lower);
    await save(lower);
    expect([read, marks]).toEqual([
      ['anderes', lower],
      [null, `Marke: ${lower}`, 'Marke: anderes', `Marke: ${lower}`],
    ]);
  });
});
