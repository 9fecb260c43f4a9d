type Place = { pathname: string; search: string };

/** Which addresses leave a form; every other path does, unless it says otherwise. */
export type FormPlace = {
  /** Addresses below this form that do not leave it, for example another rule of the same list. */
  staysInForm?: (pathname: string) => boolean;
  /** Queries of the same path that leave it, for example those of another catalogue. */
  leftBy?: (search: URLSearchParams) => boolean;
};

/** Whether going from `now` to `next` takes somebody away from the form. */
export function leavesForm({ staysInForm, leftBy }: FormPlace, now: Place, next: Place): boolean {
  if (next.pathname !== now.pathname) return staysInForm?.(next.pathname) !== true;
  return leftBy?.(new URLSearchParams(next.search)) === true;
}
