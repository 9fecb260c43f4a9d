import { type LoaderFunctionArgs, Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { askOver } from '#client/call.ts';
import { FirstStepsStrip } from '#client/first-steps/first-steps.tsx';
import { preferencesOf } from '#client/preferences.ts';
import { servicesContext } from '#client/server-context.ts';
import { FailurePage } from './failure-page.tsx';
import { ReadOnlyNote } from './read-only-note.tsx';

/** A failure to load the first steps must not fail the page; the strip reports it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (preferencesOf(request.headers.get('cookie') ?? '').firstSteps !== '') return { steps: null, failed: false };
  const ask = askOver(context.get(servicesContext).fetchApi);
  try {
    // Only for users who may take the steps: for others, each page would log a refusal in the security log.
    const { permissions } = await ask(api.session);
    if (!permissions.includes('edit')) return { steps: null, failed: false };
    return { steps: await ask(api.firstSteps), failed: false };
  } catch {
    return { steps: null, failed: true };
  }
}

/** The strip polls by itself; its loader runs again only if the same page is reloaded. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && currentUrl.pathname === nextUrl.pathname;

/** Layer between shell and screen: if a screen fails, the navigation stays. */
export default function Page() {
  const { steps, failed } = useLoaderData<typeof loader>();
  return (
    <>
      <FirstStepsStrip first={steps} failed={failed} />
      <ReadOnlyNote />
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  return <FailurePage />;
}
