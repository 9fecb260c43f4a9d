import { type LoaderFunctionArgs, Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { askOver } from '#client/call.ts';
import { FirstStepsStrip } from '#client/first-steps/first-steps.tsx';
import { preferencesOf } from '#client/preferences.ts';
import { servicesContext } from '#client/server-context.ts';
import { FailurePage } from './failure-page.tsx';

/** What the first steps cannot tell is no reason to show no page; the strip says so. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (preferencesOf(request.headers.get('cookie') ?? '').firstSteps !== '') return { steps: null, failed: false };
  const ask = askOver(context.get(servicesContext).fetchApi);
  try {
    // Only who can take them is led; asked by others, a refusal stood in the security log with every page they open.
    const { permissions } = await ask(api.session);
    if (!permissions.includes('edit')) return { steps: null, failed: false };
    return { steps: await ask(api.firstSteps), failed: false };
  } catch {
    return { steps: null, failed: true };
  }
}

/** The strip looks by itself while it stands; only a page that is loaded anew in its place asks once more. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  defaultShouldRevalidate && currentUrl.pathname === nextUrl.pathname;

/** Between shell and screen: a screen that fails leaves the navigation standing. */
export default function Page() {
  const { steps, failed } = useLoaderData<typeof loader>();
  return (
    <>
      <FirstStepsStrip first={steps} failed={failed} />
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  return <FailurePage />;
}
