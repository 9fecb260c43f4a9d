import { focusSoon } from '#client/ui/focus/focus-soon.ts';

/** After the sign-in, whose form has disappeared: gives the focus to the content of the page that follows. */
export function focusPage(): void {
  focusSoon(
    () => document.querySelector<HTMLElement>('main[tabindex]'),
    (main) => {
      if (document.activeElement === document.body) main.focus({ preventScroll: true });
    },
  );
}
