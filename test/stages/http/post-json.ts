import type { TestKontor } from '../kontor.ts';

/** Sends a body as it is, also an invalid one. */
export const postJson = (kontor: TestKontor, path: string, body: unknown): Promise<Response> =>
  kontor.raw(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
