import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import compress from '@fastify/compress';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouterContext, ServerBuild } from 'react-router';
import { KontorError } from '#platform/errors.ts';

/** What the server passes to a page's loader; the client's entry declares the context that carries it. */
export type PageServices = {
  /** Calls our own API in this process on behalf of the visitor who requested the page. Paths are relative to the host. */
  readonly fetchApi: (path: string, init?: RequestInit) => Promise<Response>;
  /** Nonce that allows this page's own inline scripts, and no others (CSP). */
  readonly nonce: string;
  readonly requestId: string;
  readonly logError: (error: unknown) => void;
};

export type PagesOptions = {
  /** The project's folder: holds `build` in production and the sources in development. */
  root: string;
  /** Whether to use Vite's middleware instead of a finished build. */
  dev: boolean;
  /** Calls the API without a network hop, with the visitor's address. */
  fetchApi: (request: Request, address: string) => Promise<Response>;
};

type Build = ServerBuild & { entry: { module: { servicesContext: RouterContext<PageServices> } } };

/** Never a page: the API, the feeds, the streams; an unknown address there gets the server's own JSON error. */
const foreign = /^\/(?:api|apis|ajax|feeds|notify|assets)(?:\/|$)/;

/**
 * Registers the German pages: server-rendered by React Router, then hydrated (GEN-06). Built assets are under /assets and may be
 * cached permanently, pages never. Reading a page never changes anything, so only GET (and HEAD) is registered.
 */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  // React chooses its production files by this variable at its first import, hence the late imports below.
  process.env.NODE_ENV ??= options.dev ? 'development' : 'production';
  const { createRequestHandler, RouterContextProvider } = await import('react-router');
  const loadBuild = options.dev ? await developmentBuild(app, options.root) : await finishedBuild(app, options.root);

  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser('*', (_request, _payload, done) => done(null));
    if (!pages.hasReplyDecorator('compress')) await pages.register(compress, { global: true });
    pages.get('/favicon.ico', (_request, reply) => reply.code(204).send());
    pages.get('/*', async (request, reply) => {
      if (foreign.test(request.url)) return reply.callNotFound();
      const address = addressOf(request);
      const build = await loadBuild();
      const services = servicesOf(request, address, options.fetchApi);
      const context = new RouterContextProvider();
      context.set(build.entry.module.servicesContext, services);
      const answer = await createRequestHandler(build, options.dev ? 'development' : 'production')(
        pageRequest(request, address),
        context,
      );
      return sendPage(reply, answer, services, options.dev);
    });
  });
}

const pagesOf = (root: string): string => pathToFileURL(join(root, 'build', 'server', 'index.js')).href;

/** Begins to load the finished pages. It takes a quarter of a second, which a start can spend waiting for its database. */
export function beginLoadingPages(root: string): void {
  process.env.NODE_ENV ??= 'production';
  // registerPages loads them again, and reports what fails.
  import(pagesOf(root)).catch(() => {});
}

async function finishedBuild(app: FastifyInstance, root: string): Promise<() => Promise<Build>> {
  const folder = join(root, 'build');
  await app.register(files, {
    root: join(folder, 'client', 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
  });
  const build: unknown = await import(pagesOf(root));
  if (!isBuild(build)) throw new Error('The page build does not belong to this version; run the build again.');
  return () => Promise.resolve(build);
}

async function developmentBuild(app: FastifyInstance, root: string): Promise<() => Promise<Build>> {
  const { createServer } = await import('vite');
  const vite = await createServer({ root, server: { middlewareMode: true, hmr: { server: app.server } } });
  app.addHook('onClose', () => vite.close());
  app.addHook('onRequest', (request, reply, done) => {
    if (foreign.test(request.url)) return done();
    vite.middlewares(request.raw, reply.raw, done);
  });
  return async () => {
    const build: unknown = await vite.ssrLoadModule('virtual:react-router/server-build');
    if (!isBuild(build)) throw new Error('src/client/entry.server.tsx does not export servicesContext.');
    return build;
  };
}

function isBuild(build: unknown): build is Build {
  if (typeof build !== 'object' || build === null || !('entry' in build)) return false;
  const { entry } = build;
  if (typeof entry !== 'object' || entry === null || !('module' in entry)) return false;
  return typeof entry.module === 'object' && entry.module !== null && 'servicesContext' in entry.module;
}

/** Returns the full URL of a page. Built as text: `//name/` resolved against a base would be the address of another host. */
function addressOf(request: FastifyRequest): URL {
  const wellFormed = /^[\w.:[\]-]+$/.test(request.host) && /^\/(?!\/)/.test(request.url);
  const address = wellFormed ? URL.parse(`${request.protocol}://${request.host}${request.url}`) : null;
  if (address === null)
    throw new KontorError(400, 'unreadable', 'Die aufgerufene Adresse ist nicht lesbar. Bitte prüfen Sie sie.');
  return address;
}

function servicesOf(request: FastifyRequest, { origin }: URL, fetchApi: PagesOptions['fetchApi']): PageServices {
  const { cookie } = request.headers;
  return {
    nonce: randomBytes(16).toString('base64'),
    requestId: request.id,
    logError: (error) => request.log.error({ err: error }, 'Page could not be rendered'),
    fetchApi: (path, init) => {
      const headers = new Headers(init?.headers);
      if (cookie !== undefined) headers.set('cookie', cookie);
      return fetchApi(new Request(new URL(path, origin), { ...init, headers }), request.ip);
    },
  };
}

function pageRequest(request: FastifyRequest, address: URL): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // HTTP/2 pseudo headers start with a colon, which the web's Request does not accept.
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return new Request(address, { method: request.method, headers });
}

function sendPage(reply: FastifyReply, answer: Response, services: PageServices, dev: boolean): FastifyReply {
  answer.headers.set('cache-control', 'no-store');
  answer.headers.set('x-request-id', services.requestId);
  answer.headers.set('content-security-policy', contentSecurityPolicy(services.nonce, dev));
  return reply.send(answer);
}

/**
 * Everything comes from our server, including pictures of items. Style elements of Mantine and of dragged rows have the nonce;
 * style attributes carry computed widths, positions and colours. Vite's style elements have no nonce.
 */
function contentSecurityPolicy(nonce: string, dev: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    dev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    // In development the browser receives changed files from Vite over a web socket.
    dev ? "connect-src 'self' ws:" : "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    // Only these policies may create HTML (client/page-load/trusted-types.ts); none creates scripts. Vite's pages ignore them.
    ...(dev ? [] : ["require-trusted-types-for 'script'", 'trusted-types default kontor-live-component kontor-answer']),
  ].join('; ');
}
