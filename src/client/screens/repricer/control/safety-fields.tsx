import { NumberInput } from '@mantine/core';
import { type PriceSafety, type SafetyFigure, safetyFigures, safetyNames } from '#shared/repricer/safety.ts';
import { Badge } from '#client/ui/badge.tsx';
import type { SafetyDraft } from './safety-draft.ts';
import classes from './control.module.css';

const groups = {
  price: 'Ein Preis',
  tempo: 'Tempo',
  data: 'Woraus Preise gemacht werden',
  many: 'Viele Preise zugleich',
} as const;
const order = ['price', 'tempo', 'data', 'many'] as const;

type SafetyFieldsProps = { draft: SafetyDraft; saved: PriceSafety; onChange: (draft: SafetyDraft) => void };

/** One figure per line, in groups; marks figures that differ from the default, or are less safe than the saved ones. */
export function SafetyFields({ draft, saved, onChange }: SafetyFieldsProps) {
  return (
    <>
      {order.map((group) => (
        <fieldset key={group} className={classes.safetygroup}>
          <legend className="k-strong">{groups[group]}</legend>
          {safetyNames
            .filter((name) => safetyFigures[name].group === group)
            .map((name) => (
              <Figure
                key={name}
                name={name}
                typed={draft[name]}
                saved={saved[name]}
                onChange={(typed) => onChange({ ...draft, [name]: typed })}
              />
            ))}
        </fieldset>
      ))}
    </>
  );
}

type FigureProps = {
  name: SafetyFigure;
  typed: number | string;
  saved: number;
  onChange: (typed: number | string) => void;
};

function Figure({ name, typed, saved, onChange }: FigureProps) {
  const { label, hint, unit, normal, least, most, safer } = safetyFigures[name];
  const whole = typeof typed !== 'number' || Number.isInteger(typed);
  const inside = typeof typed === 'number' && whole && typed >= least && typed <= most;
  const less = inside && (safer === 'less' ? typed > saved : typed < saved);
  return (
    <div className={classes.safetyfigure}>
      <NumberInput
        label={label}
        description={typed === normal ? hint : `${hint} Üblich: ${normal} ${unit}`}
        suffix={` ${unit}`}
        min={least}
        max={most}
        // A comma stays as typed: without it, „2,5“ would be 25.
        decimalSeparator=","
        allowedDecimalSeparators={[',']}
        allowNegative={false}
        clampBehavior="none"
        value={typed}
        error={
          inside
            ? undefined
            : whole
              ? `Bitte ${least} bis ${most} ${unit} eingeben.`
              : 'Bitte eine ganze Zahl eingeben.'
        }
        onChange={onChange}
      />
      {less && <Badge tone="yellow">weniger sicher als bisher</Badge>}
    </div>
  );
}
