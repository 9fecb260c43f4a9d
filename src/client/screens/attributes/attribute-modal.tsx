import { Button, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { ALL_ITEMS, type AttributeField, isBlank } from '#shared/attributes/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import { DocumentGuard } from '#client/editor/document-guard.tsx';
import { PartsEditor } from '#client/fields/values/parts-editor.tsx';
import { PriorityBadge } from '#client/fields/priority.tsx';
import { operandOf, partOfOperand } from '#client/fields/values/references.ts';
import { SaveImpactLine } from '#client/fields/save-impact.tsx';
import { useSaveImpact } from '#client/fields/use-save-impact.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { FormDialog } from '#client/ui/form-dialog.tsx';
import { type AttributesQuery, readQuery, sameGroup } from './attributes-query.ts';
import classes from './attributes.module.css';
import { attributeShape, emptyText, oneLine, useAttribute } from './use-attribute.ts';
import { formatInteger } from '#client/ui/text/formats.ts';

type AttributeModalProps = {
  exportId: string;
  field: AttributeField;
  query: AttributesQuery;
  /** Filter of the selected items; '' if the URL names a category that the export does not have. */
  selector: string;
  /** Revision of all attributes of the export. */
  revision: number;
  /** Description of the selected items for users. */
  where: string;
  onClose: () => void;
  onSaved: () => void;
};

/** More values than fit on a screen are found by typing the first letters into the value. */
const shownEnums = 200;

/** ATT-02: description of a field, and its value for the selected items. */
export function AttributeModal({ where, onClose, ...attribute }: AttributeModalProps) {
  const { field } = attribute;
  const editor = useAttribute(attribute);
  const { draft, edit, failure, busy } = editor;
  const { parts, variant } = draft;
  const setParts = (next: readonly SourcePart[]) => edit((now) => ({ ...now, parts: next }), null);
  const value = useMemo(() => parts.map(oneLine), [parts]);
  const { exportId, query, selector } = attribute;
  const unsaved = useMemo(() => {
    const cat = selector === ALL_ITEMS ? '' : selector;
    return { attribute: { target: field.exportfield, typ: query.typ, cat, variant, value: [...value] } };
  }, [field.exportfield, query.typ, selector, variant, value]);
  const impact = useSaveImpact(exportId, unsaved, editor.dirty && selector !== '');

  return (
    <FormDialog opened guarded dirty={editor.dirty} onClose={onClose} size={640} title={field.title}>
      <div className="k-stack">
        <div className="k-row">
          <PriorityBadge value={field.mp_state} />
          {field.title !== field.exportfield && <code>{field.exportfield}</code>}
        </div>
        {field.description !== '' && <p className={classes.description}>{field.description}</p>}
        {field.examples.length > 0 && (
          <p>
            <span className="k-strong">Beispiel:</span> {field.examples.join(' · ')}
          </p>
        )}
        <ErrorNotice failure={failure} onClose={editor.closeFailure} />
        <section className="k-stack" aria-labelledby="attribut-wert">
          <h3 id="attribut-wert">Attribut-Wert:</h3>
          <p className="k-muted">
            Gilt für {where}. {field.inherited !== '' && `Ohne eigenen Wert gilt: ${field.inherited}.`}{' '}
            {isBlank({ value }) && field.field.length > 0 ? 'Leer gespeichert, wird der Wert entfernt.' : ''}
          </p>
          <PartsEditor
            label="Attribut-Wert"
            parts={parts.map(operandOf)}
            onChange={(next) => setParts(next.map(partOfOperand))}
          />
        </section>
        {field.is_variant_attribute && (
          <Switch
            label="Als Variantenattribut benutzen"
            description="Die Varianten eines Produkts unterscheiden sich in diesem Feld."
            checked={variant}
            onChange={({ currentTarget: { checked } }) => edit((now) => ({ ...now, variant: checked }), null)}
          />
        )}
        {field.enums.length > 0 && (
          <section className="k-stack" aria-labelledby="attribut-werte">
            <h3 id="attribut-werte">Mögliche Werte:</h3>
            <ul className={classes.enums}>
              {field.enums.slice(0, shownEnums).map((one) => (
                <li key={one}>
                  <Button
                    size="xs"
                    variant={parts.length === 1 && parts[0]?.value === one ? 'filled' : 'default'}
                    onClick={() => setParts([{ ...emptyText, value: one }])}
                  >
                    {one}
                  </Button>
                </li>
              ))}
            </ul>
            {field.enums.length > shownEnums && (
              <p className="k-muted">… und {formatInteger(field.enums.length - shownEnums)} weitere</p>
            )}
          </section>
        )}
        <SaveImpactLine impact={impact} />
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Schließen
          </Button>
          <Button loading={busy} onClick={() => void editor.save()}>
            Übernehmen
          </Button>
        </div>
        <DocumentGuard
          editor={editor}
          shape={attributeShape}
          leftBy={(search) => !sameGroup(readQuery(search), query)}
          onResolve={(resolution) => void editor.resolve(resolution, null)}
        />
      </div>
    </FormDialog>
  );
}
