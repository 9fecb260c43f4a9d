import { Button } from '@mantine/core';
import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconArrowBackUp from 'virtual:icons/arrow-back-up';
import IconCheck from 'virtual:icons/check';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import classes from './save-bar.module.css';
import { useGoToUnread } from '#client/ui/form/unread-field.ts';
import { unsavedWords } from '#client/ui/text/unsaved-words.ts';

type SaveBarProps = {
  dirty: boolean;
  /** The bar also shows without changes, for forms that may be sent as they are. */
  always?: boolean;
  /** Number of changes, if the form can tell. */
  count?: number;
  busy?: boolean;
  /** Saving is not possible yet. */
  waiting?: boolean;
  saveLabel?: string;
  /** A warning to read before saving; it does not block the save. */
  warning?: string;
  /** Shown right above the bar and sticks with it: what a save would lead to. */
  above?: ReactNode;
  onSave: () => void;
  onDiscard: () => void;
};

/**
 * Sticks to the bottom while something is unsaved; a form that may be sent as it is ends with a plain button. Strg+S saves, too.
 */
export function SaveBar(props: SaveBarProps) {
  const {
    dirty,
    always = false,
    count,
    busy = false,
    waiting = false,
    saveLabel = 'Speichern',
    warning,
    above,
    onSave,
    onDiscard,
  } = props;
  const goToUnread = useGoToUnread();
  const save = () => {
    if (!goToUnread()) onSave();
  };
  const saveNow = useEffectEvent(() => {
    if ((dirty || always) && !busy && !waiting) save();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      // A dialog's content would not be saved with the form behind it.
      if (event.target instanceof Element && event.target.closest('[data-own-save]') !== null) return;
      takeTyped();
      saveNow();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const bar = useRef<HTMLDivElement>(null);
  useFootHeight(bar, dirty);

  if (!dirty && !always) return null;
  return (
    <div ref={bar} className={classes.place} data-quiet={!dirty || undefined}>
      {above}
      <section className={classes.bar} data-quiet={!dirty || undefined} aria-label="Speichern">
        <span className={classes.text}>
          <span role="status">{dirty ? unsavedWords(count) : 'Keine ungespeicherten Änderungen'}</span>
          {warning !== undefined && (
            <span className={classes.warning} role="status">
              <IconAlertTriangle size={16} aria-hidden />
              <span>{warning}</span>
            </span>
          )}
        </span>
        {dirty && (
          <Button
            variant="transparent"
            className={classes.discard}
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={onDiscard}
            disabled={busy}
          >
            Verwerfen
          </Button>
        )}
        <Button
          className={classes.save}
          variant={dirty ? 'filled' : 'default'}
          leftSection={<IconCheck size={16} aria-hidden />}
          onClick={save}
          loading={busy}
          // A colour from the stylesheet would lose against the button's own style.
          loaderProps={dirty ? { color: 'var(--k-bar-button-text)' } : undefined}
          disabled={waiting}
          aria-keyshortcuts="Control+S"
          title="Strg+S"
        >
          {saveLabel}
        </Button>
      </section>
    </div>
  );
}

/** Some fields commit their text only on blur (`data-takes-when-left`): commits it now, because it belongs to the save. */
function takeTyped(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || field.dataset['takesWhenLeft'] === undefined) return;
  flushSync(() => field.blur());
  if (field.isConnected) field.focus();
}

/**
 * Publishes how much of the page's bottom the bar covers (`--k-foot`), so that focused elements never hide behind it (WCAG
 * 2.4.11) and sticky columns end above it, and where notices have room above it (`--k-notices`).
 */
function useFootHeight(element: RefObject<HTMLDivElement | null>, shown: boolean): void {
  useEffect(() => {
    const root = document.documentElement;
    if (!shown || element.current === null) return;
    const bar = element.current;
    // At the end of the page the bar is higher up than the bottom of the window, in a low window also below it.
    const notices = () => {
      const covered = Math.max(0, innerHeight - bar.getBoundingClientRect().top);
      root.style.setProperty('--k-notices', `${Math.ceil(covered)}px`);
    };
    const watch = new ResizeObserver(([entry]) => {
      const height = Math.ceil(entry?.contentRect.height ?? 0);
      root.style.setProperty('--k-foot', `${height + 12}px`);
      root.style.scrollPaddingBottom = `${height + 24}px`;
      notices();
    });
    watch.observe(bar);
    const page = new ResizeObserver(notices);
    page.observe(root);
    addEventListener('scroll', notices, { passive: true });
    return () => {
      watch.disconnect();
      page.disconnect();
      removeEventListener('scroll', notices);
      root.style.removeProperty('--k-notices');
      root.style.removeProperty('--k-foot');
      root.style.scrollPaddingBottom = '';
    };
  }, [element, shown]);
}
