import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { AnswerOf, Call } from '#shared/http/call.ts';
import type { ErrorBody } from '#shared/http/errors.ts';
import { buildState } from '../../../scripts/bundle/build.ts';
import { registerPages } from './pages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const build = buildState(root);
/** The list of skipped tests shows the state of the build. */
const title = build === 'current' ? 'pages' : `pages (the page build is ${build}: npm test or npm start makes it)`;

const session: AnswerOf<typeof api.session> = {
  user: { id: 'u1', name: 'Frau Yilmaz', email: 'yilmaz@nordkap.example' },
  company: { id: 'c1', name: 'Nordkap Handels GmbH' },
  role: 'owner',
  permissions: ['read', 'edit', 'run', 'admin'],
};
class Refusal {
  readonly status: number;
  readonly body: ErrorBody;
  constructor(status: number, code: string, message: string) {
    this.status = status;
    this.body = { error: { code, message, requestId: 'anfrage-7' } };
  }
}

describe.skipIf(build !== 'current')(title, () => {
  let app: FastifyInstance;

  beforeAll(async () => {
    app = fastify({ genReqId: () => 'seite-1' });
    /** Answers the shell's API calls without a server behind them. */
    const answer = <C extends Call>(call: C, make: (cookie: string) => AnswerOf<C> | Refusal) =>
      app.route({
        method: call.method,
        url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: (request, reply) => {
          const made = make(request.headers.cookie ?? '');
          return made instanceof Refusal ? reply.code(made.status).send(made.body) : reply.send(made);
        },
      });
    answer(api.session, (cookie) =>
      cookie.includes('sitzung=1') ? session : new Refusal(401, 'unauthorized', 'Bitte melden Sie sich an.'),
    );
    answer(api.masters, (cookie) =>
      cookie.includes('kaputt=1') ? new Refusal(500, 'internal', 'Es ist ein Fehler aufgetreten.') : [],
    );
    answer(api.marketplaceConnectors, () => ({ connectors: [] }));
    answer(api.liveComponentFirst, () => ({ html: '' }));
    answer(api.marketplaceChannels, () => ({ channels: [] }));
    answer(api.waitingPrices, () => ({ count: 0, masterid: null }));
    answer(api.examples, () => ({ present: false }));
    answer(api.header, () => ({
      info: { company: 'Nordkap Handels GmbH', active: true },
      messages: { count: 0 },
    }));
    await registerPages(app, {
      root,
      dev: false,
      fetchApi: async (request) => {
        const { pathname, search } = new URL(request.url);
        const answer = await app.inject({
          method: 'GET',
          url: pathname + search,
          headers: Object.fromEntries(request.headers),
        });
        return new Response(answer.body, {
          status: answer.statusCode,
          headers: { 'content-type': 'application/json' },
        });
      },
    });
  });
  afterAll(() => app.close());

  const get = (url: string, cookie = '') => app.inject({ method: 'GET', url, headers: { cookie } });

  it('GEN-06 renders a page on the server with the data of the requesting visitor', async () => {
    const answer = await get('/', 'sitzung=1');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Nordkap Handels GmbH');
    expect(answer.body).toContain('Ersten Katalog anlegen');
    expect(answer.body).toContain('<html lang="de"');
  });

  it('A visitor without a session is led to the sign-in page and back', async () => {
    const answer = await get('/einstellungen?a=b');
    expect(answer.statusCode).toBe(302);
    expect(answer.headers.location).toBe('/login?zurueck=%2Feinstellungen%3Fa%3Db');
  });

  it('A page allows only its own scripts, is never kept and may not be framed', async () => {
    const answer = await get('/login');
    const policy = String(answer.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).not.toMatch(/\*|https?:/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(answer.body).toContain(`nonce="${nonce}"`);
    expect([...answer.body.matchAll(/<script(?![^>]*nonce=)/g)]).toHaveLength(0);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('Two visits never share a nonce', async () => {
    const [first, second] = await Promise.all([get('/login'), get('/login')]);
    expect(first.headers['content-security-policy']).not.toBe(second.headers['content-security-policy']);
  });

  it('The colour scheme of the last visit is in the HTML, so that nothing flashes', async () => {
    const answer = await get('/login', 'kontor_farbe=dark');
    expect(answer.body).toContain('data-mantine-color-scheme="dark"');
  });

  it('An unknown address is answered with 404 in German, inside the navigation', async () => {
    const answer = await get('/gibt/es/nicht', 'sitzung=1');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toContain('Diese Seite gibt es nicht');
    expect(answer.body).toContain('Hauptnavigation');
  });

  it('A failure of the API becomes a German page with its request id and no stack trace', async () => {
    const answer = await get('/', 'sitzung=1; kaputt=1');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).toContain('Es ist ein Fehler aufgetreten.');
    expect(answer.body).toContain('anfrage-7');
    expect(answer.body).not.toMatch(/\bat \w+ \(|node_modules/);
  });

  it.each([
    ['//', 'kontor'],
    ['//fremd.example/', 'kontor'],
    ['/', 'x y'],
    ['/', 'a@b'],
    ['/', '['],
    ['/', ''],
  ])('The address %s with host „%s“ is refused as unreadable, also without a session (T1)', async (url, host) => {
    // A regular HTTP client would refuse to send these.
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
    const [address] = app.addresses();
    const socket = connect(typeof address === 'object' ? address.port : 0, '127.0.0.1');
    socket.end(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('nicht lesbar');
  });

  it('An unknown address of the API is answered with JSON, not a page', async () => {
    const answer = await get('/api/gibtsnicht');
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('Built files may be cached permanently', async () => {
    const name = readdirSync(join(root, 'build/client/assets')).find((file) => file.endsWith('.js')) ?? '';
    const answer = await get(`/assets/${name}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });
});
