import { Modal } from '@mantine/core';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { useFocusBack } from '#client/ui/focus/use-focus-back.ts';
import { shortcuts } from './shortcuts.ts';
import classes from './shortcut-sheet.module.css';

/** All shortcuts on one sheet. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      size={640}
      title={<span className="k-strong">Tastenkürzel</span>}
      closeButtonProps={{ 'aria-label': 'Schließen' }}
    >
      <div className="k-stack">
        {shortcuts.map(({ where, list }) => (
          <section key={where}>
            <h3 className={classes.where}>{where}</h3>
            <dl className={classes.list}>
              {list.map(({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key, index) => (
                      <span key={key}>
                        {index > 0 && ' '}
                        <kbd>{key}</kbd>
                      </span>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="k-small k-muted">
          Kürzel aus einer einzelnen Taste lassen sich unter{' '}
          <Link to={pages.account.path} onClick={onClose}>
            Konto
          </Link>{' '}
          abschalten. Am Mac gilt die Befehlstaste statt Strg.
        </p>
      </div>
    </Modal>
  );
}
