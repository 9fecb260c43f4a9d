import { setTimeout as wait } from 'node:timers/promises';
import { api } from '#shared/http/api.ts';
import { pathOf, type AnswerOf, type Call } from '#shared/http/call.ts';
import type { Run } from '#shared/runs/schema.ts';
import { token } from './kontor.ts';

/** A client of a program that may be killed and come back at another address. */
export type Client = {
  raw: (path: string, init?: RequestInit) => Promise<Response>;
  ask: <C extends Call>(call: C, params?: Record<string, string>, body?: unknown) => Promise<AnswerOf<C>>;
  /** Uploads a catalogue; returns the run's id. */
  upload: (masterid: string, csv: string) => Promise<string>;
  /** Returns the run once it has ended or waits for a user. @throws after the timeout (I10) */
  ended: (runid: string, seconds?: number) => Promise<Run>;
};

export const clientOf = (url: () => string, as = token): Client =>
  clientWith(url, () => ({ authorization: `Bearer ${as}` }));

/** Signs a user in and returns his client, for calls that only people may make. */
export async function signedIn(url: () => string, person: { email: string; password: string }): Promise<Client> {
  const client = clientWith(url, () => ({ origin: url() }));
  const body = JSON.stringify(person);
  const answer = await client.raw(api.signIn.path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  if (!answer.ok) throw new Error(`${person.email} -> ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return clientWith(url, () => ({ origin: url(), cookie: cookie.join('; ') }));
}

function clientWith(url: () => string, who: () => Record<string, string>): Client {
  const raw: Client['raw'] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(who())) headers.set(name, value);
    return fetch(url() + path, { ...init, headers });
  };
  const ask: Client['ask'] = async <C extends Call>(
    call: C,
    params: Record<string, string> = {},
    body?: unknown,
  ): Promise<AnswerOf<C>> => {
    const answer = await raw(pathOf(call, params), {
      method: call.method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${call.path} -> ${answer.status} ${await answer.text()}`);
    return call.response?.parse(await answer.json()) as AnswerOf<C>;
  };
  return {
    raw,
    ask,
    upload: async (masterid, csv) => {
      const form = new FormData();
      form.set('file', new Blob([csv]), 'artikel.csv');
      const answer = await raw(pathOf(api.import, { masterid }), { method: 'POST', body: form });
      if (!answer.ok) throw new Error(`import -> ${answer.status} ${await answer.text()}`);
      return ((await answer.json()) as { runid: string }).runid;
    },
    ended: async (runid, seconds = 60) => {
      const until = performance.now() + seconds * 1000;
      for (;;) {
        const run = await ask(api.run, { runid }).catch((error: unknown) => error);
        if (!(run instanceof Error)) {
          const { state } = run as Run;
          if (state !== 'queued' && state !== 'running') return run as Run;
        }
        if (performance.now() > until)
          throw new Error(`run ${runid} did not end: ${JSON.stringify(run)} ${String(run)}`);
        await wait(50);
      }
    },
  };
}
