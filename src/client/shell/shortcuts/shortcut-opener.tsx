import { useEffect, useEffectEvent, useState } from 'react';
import { laterDialog } from '#client/page-load/later-part.tsx';
import { preferencesOf } from '#client/preferences.ts';

/** Loaded when it is first opened: no page waits for it. */
const ShortcutSheet = laterDialog(() => import('./shortcut-sheet.tsx'));

/** '?' opens the sheet of shortcuts, unless somebody is typing or switched shortcuts of a single key off (WCAG 2.1.4). */
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

/** Letters belong to fields, to lists that are searched by typing, and to dialogs. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input, textarea, select, [contenteditable], [role="combobox"], [data-takes-text], [role="dialog"], dialog',
    ) !== null
  );
}
