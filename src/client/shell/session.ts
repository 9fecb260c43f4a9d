import { useRouteLoaderData } from 'react-router';
import type { Session } from '#shared/account/schema.ts';
import type { Permission } from '#shared/http/call.ts';
import type { loader } from './shell.tsx';

/** Returns the current session; null only on pages outside the shell. */
export function useSession(): Session | null {
  return useRouteLoaderData<typeof loader>('shell')?.session ?? null;
}

/** Tells whether the user has a permission. Hiding a button is a courtesy; the server decides. */
export function useMay(permission: Permission): boolean {
  return useSession()?.permissions.includes(permission) === true;
}
