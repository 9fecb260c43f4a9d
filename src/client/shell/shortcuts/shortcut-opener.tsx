import { useEffect, useEffectEvent, useState } from 'react';
import { laterDialog } from '#client/page-load/later-part.tsx';
import { preferencesOf } from '#client/preferences.ts';

/** Loaded when it is first opened: no page waits for it. */
const ShortcutSheet = laterDialog(() => import('./shortcut-sheet.tsx'));

/** '?' opens the sheet of shortcuts, unless the user is typing or has switched off shortcuts of a single key (WCAG 2.1.4). */
export function ShortcutOpener() {
  const [opened, setOpened] = useState(false);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (preferencesOf(document.cookie).singleKeys === 'off' || takesText(event.target)) return;
    event.preventDefault();
    setOpened(true);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  if (!opened) return null;
  return <ShortcutSheet onClose={() => setOpened(false)} />;
}

/** Tells whether the element uses letter keys itself: fields, lists that are searched by typing, dialogs. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role="combobox"], [data-takes-text], [role="dialog"], dialog',
    ) !== null
  );
}
