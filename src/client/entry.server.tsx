import { renderToReadableStream } from 'react-dom/server';
import type { EntryContext, HandleErrorFunction, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';
import { NonceContext } from '#client/ui/nonce.ts';
import { servicesContext } from './server-context.ts';

// Re-exported for the server, which must set the very same context instance.
export { servicesContext };

/** Renders the whole page before the first byte is sent, so that its status is correct. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, logError } = context.get(servicesContext);
  let finalStatus = status;
  const stream = await renderToReadableStream(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    {
      nonce,
      signal: request.signal,
      onError(error) {
        finalStatus = 500;
        logError(error);
      },
    },
  );
  await stream.allReady;
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(stream, { status: finalStatus, headers });
}

/** Loaders throw answers (404, redirects) in normal operation; every other error is logged. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || error instanceof Response) return;
  if (typeof error === 'object' && error !== null && 'status' in error && 'internal' in error) return;
  context.get(servicesContext).logError(error);
};
