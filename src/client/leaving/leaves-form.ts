type Place = { pathname: string; search: string };

/** Decides which addresses leave a form: by default every other path does, and no query. */
export type FormPlace = {
  /** Whether a path below this form does not leave it, for example another rule of the same list. */
  staysInForm?: (pathname: string) => boolean;
  /** Whether a query on the same path leaves it, for example another catalogue. */
  leftBy?: (search: URLSearchParams) => boolean;
};

/** Tells whether navigating from `now` to `next` leaves the form. */
export function leavesForm({ staysInForm, leftBy }: FormPlace, now: Place, next: Place): boolean {
  if (next.pathname !== now.pathname) return staysInForm?.(next.pathname) !== true;
  return leftBy?.(new URLSearchParams(next.search)) === true;
}
