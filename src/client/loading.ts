import { data, type LoaderFunctionArgs, redirect } from 'react-router';
import { pages } from '#shared/pages.ts';
import { type Ask, askOver, CallError } from './call.ts';
import { servicesContext } from './server-context.ts';

/** What an error page shows of a call that failed during loading. */
export type PageFailure = { code: string; message: string; requestId: string };

type LoaderArgs = Pick<LoaderFunctionArgs, 'request' | 'context'>;

/**
 * Makes a `call` for loaders: runs in the server's process as the visitor. Without a session it redirects to the sign-in page and
 * back; every other failure becomes the page's status and message (a 404 of the API is a 404 page).
 */
export function asking({ request, context }: LoaderArgs): Ask {
  const { fetchApi } = context.get(servicesContext);
  const ask = askOver(fetchApi);
  return async (wanted, ...input) => {
    try {
      return await ask(wanted, ...input);
    } catch (error) {
      throw toPage(error, request);
    }
  };
}

/** Converts a failed call into what a loader throws. */
export function toPage(error: unknown, request: Request): unknown {
  if (!(error instanceof CallError)) return error;
  if (error.code === 'second_factor_missing') return redirect(pages.secondFactor.path);
  if (error.status === 401) return redirect(signInPath(new URL(request.url)));
  const failure: PageFailure = { code: error.code, message: error.message, requestId: error.requestId };
  return data(failure, { status: error.status >= 400 ? error.status : 502 });
}

/** Returns the query of an address as users see it: without the parameter of the router's data requests. */
export function searchOf({ search }: { search: string }): string {
  const query = new URLSearchParams(search);
  query.delete('_routes');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Returns the address of the sign-in page, with the way back to the wanted page. */
export function signInPath(wanted: { pathname: string; search: string }): string {
  const back = wanted.pathname.replace(/\.data$/, '').replace(/^\/_root$/, '/') + searchOf(wanted);
  return back === '/' ? pages.login.path : `${pages.login.path}?zurueck=${encodeURIComponent(back)}`;
}

/** Allows only an address of this site after a sign-in; anything else leads to the overview. */
export function safeBack(wanted: string | null): string {
  return wanted !== null && /^\/(?![/\\])/.test(wanted) ? wanted : pages.overview.path;
}
