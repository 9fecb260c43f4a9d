import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';

type UndoKeys = { onUndo: () => void; onRedo: () => void };

/** The page's editors that were edited, the most recently edited last: that one gets the keys. */
let editors: readonly object[] = [];

/**
 * Strg+Z undoes, Strg+Y and Strg+Umschalt+Z redo, wherever the focus is: also in the form's own text fields, whose texts belong
 * to the form's steps (the browser's own undo knows only keystrokes and fails on texts that were set by code). The caret is then
 * placed after the restored text. Dialogs, open lists and fields inside `data-own-undo` keep the browser's undo. If a page has
 * several editors, the keys go to the one edited last; an editor reports an edit by the returned function.
 */
export function useUndoKeys({ onUndo, onRedo }: UndoKeys): () => void {
  const [editor] = useState(() => ({}));
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const kind = wantedOf(event);
    if (kind === undefined || event.defaultPrevented || hasOwnUndo(event.target) || editors.at(-1) !== editor) return;
    event.preventDefault();
    const field = textFieldOf(document.activeElement);
    const before = field?.value ?? '';
    flushSync(kind === 'undo' ? onUndo : onRedo);
    if (field?.isConnected === true && field.value !== before) placeCaret(field, before);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => {
      editors = editors.filter((one) => one !== editor);
      window.removeEventListener('keydown', listen);
    };
  }, [editor]);
  return () => {
    editors = [...editors.filter((one) => one !== editor), editor];
  };
}

function wantedOf({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !shiftKey ? 'redo' : undefined;
}

function hasOwnUndo(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('[role="dialog"], [data-own-undo], [aria-expanded="true"][role="combobox"]') !== null;
}

function textFieldOf(element: Element | null): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (element instanceof HTMLTextAreaElement) return element;
  return element instanceof HTMLInputElement && element.selectionStart !== null ? element : undefined;
}

/** Places the caret after the last letter that differs. */
function placeCaret(field: HTMLInputElement | HTMLTextAreaElement, before: string): void {
  const now = field.value;
  const shorter = Math.min(before.length, now.length);
  let prefix = 0;
  while (prefix < shorter && before[prefix] === now[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < shorter - prefix && before.at(-1 - suffix) === now.at(-1 - suffix)) suffix += 1;
  field.setSelectionRange(now.length - suffix, now.length - suffix);
}
