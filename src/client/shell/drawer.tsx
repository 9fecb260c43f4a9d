import IconX from 'virtual:icons/x';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './shell.module.css';

type DrawerProps = { opened: boolean; onClose: () => void; children: ReactNode };

/** The navigation on a narrow screen. A native dialog provides the focus trap, Escape and the top layer. */
export function NavigationDrawer({ opened, onClose, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (opened) dialog.current?.showModal();
    else dialog.current?.close();
  }, [opened]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- native dialogs close on Escape
    <dialog
      ref={dialog}
      className={classes.drawer}
      aria-label="Navigation"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {opened && (
        <div className={classes.drawerNav}>
          <button type="button" className={classes.link} onClick={onClose}>
            <IconX size={18} aria-hidden /> Schließen
          </button>
          {children}
        </div>
      )}
    </dialog>
  );
}
