import { useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { dropItems } from '#client/page-load/loaded-items.ts';
import { leaveBy } from '#client/leaving/leaving.ts';

/** Ends the session and shows the sign-in. Asks about unsaved edits first: without a session nothing can be saved. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate();
  return () =>
    leaveBy(async () => {
      await call(api.signOut);
      dropItems();
      await navigate(pages.login.path);
    });
}
