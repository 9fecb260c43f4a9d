import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CONFIRMED } from '#shared/http/call.ts';
import { call, onAskedBack } from '#client/call.ts';

/** A server that asks back about so many offers until the mark of that number comes; gives the marks that came. */
function asking(...offers: (number | null)[]): (string | null)[] {
  const marks: (string | null)[] = [];
  vi.stubGlobal('fetch', (_path: string, init?: RequestInit) => {
    marks.push(new Headers(init?.headers).get(CONFIRMED));
    const [now] = offers;
    if (now === undefined || marks.at(-1) === `marke ${now}`)
      return Promise.resolve(Response.json({ ok: true, revision: 1, message: 'Gespeichert' }));
    if (offers.length > 1) offers.shift();
    const error = {
      code: 'limits_confirm',
      message: `${now} Angebote`,
      requestId: 'r',
      confirm: { mark: `marke ${now}`, offers: now },
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
  const save = (confirmed?: number) =>
    call(api.orderRepricerRules, { params: { masterid: 'm1' }, body: { ids: [] }, confirmed });

  it('goes out again with the mark of the question once somebody has agreed', async () => {
    const read = people(true);
    const marks = asking(102);
    await save();
    expect([read, marks]).toEqual([['102 Angebote'], [null, 'marke 102']]);
  });

  it('fails with the server’s words where somebody does not agree, and goes out once', async () => {
    people(false);
    const marks = asking(102);
    await expect(save()).rejects.toThrow('102 Angebote');
    expect(marks).toEqual([null]);
  });

  it('is answered by the page for as many offers as it has told, and by somebody for more, or where nobody knows', async () => {
    const read = people(true);
    for (const offers of [102, 90, 103, null]) {
      asking(offers);
      await save(102);
    }
    expect(read).toEqual(['103 Angebote', 'null Angebote']);
  });

  it('is read again where other numbers come out meanwhile, even fewer', async () => {
    const read = people(true);
    const marks = asking(102, 101);
    await save(102);
    expect([read, marks]).toEqual([['101 Angebote'], [null, 'marke 102', 'marke 101']]);
  });
});
