import { Button } from '@mantine/core';
import IconDots from 'virtual:icons/dots';
import type { OrderLine, OrderRow } from '#shared/orders/schema.ts';
import { Disclosure } from '#client/ui/disclosure.tsx';
import classes from './forms.module.css';
import { firstMode, type ItemAction, itemModes, modeWords } from './item-mode.ts';

type LineActionsProps = { order: OrderRow; line: OrderLine; onForm: (action: ItemAction) => void };

/** Actions on a line: the next step as a button, others in a menu; impossible ones say why. */
export function LineActions({ order, line, onForm }: LineActionsProps) {
  const first = firstMode(line);
  const name = `${line.title === '' ? line.sku : line.title}, Bestellung ${order.orderid}`;
  return (
    <div className={classes.actions}>
      {first !== undefined && (
        <Button
          size="xs"
          variant={first === 'sent' ? 'filled' : 'default'}
          aria-label={`${modeWords[first].button}: ${name}`}
          onClick={() => onForm({ mode: first, order, line })}
        >
          {modeWords[first].button}
        </Button>
      )}
      <Disclosure
        className={classes.more ?? ''}
        align="end"
        label={`Weitere Aktionen: ${name}`}
        button={<IconDots size={16} aria-hidden />}
      >
        {(close) => (
          <div className={classes.entries}>
            {itemModes.map((mode) => {
              const { possible, reason } = line[mode];
              return (
                <button
                  key={mode}
                  type="button"
                  className={classes.entry}
                  disabled={!possible}
                  onClick={() => {
                    close();
                    onForm({ mode, order, line });
                  }}
                >
                  {modeWords[mode].title}
                  {!possible && reason !== '' && <small>{reason}</small>}
                </button>
              );
            })}
          </div>
        )}
      </Disclosure>
    </div>
  );
}
