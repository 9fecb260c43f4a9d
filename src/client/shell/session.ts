import { useRouteLoaderData } from 'react-router';
import type { Session } from '#shared/account/schema.ts';
import type { Permission } from '#shared/http/call.ts';
import type { loader } from './shell.tsx';

/** Who is signed in; null only on pages outside the shell. */
export function useSession(): Session | null {
  return useRouteLoaderData<typeof loader>('shell')?.session ?? null;
}

/** Whether the visitor may do something. Hiding a button is courtesy; the server decides. */
export function useMay(permission: Permission): boolean {
  return useSession()?.permissions.includes(permission) === true;
}
