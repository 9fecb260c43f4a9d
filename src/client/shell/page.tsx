import { Outlet } from 'react-router';
import { FailurePage } from './failure-page.tsx';

/** Between shell and screen: a screen that fails leaves the navigation standing. */
export default function Page() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <FailurePage />;
}
