import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';

export type JsonSchema = Record<string, unknown>;

const SCHEMA_PREFIX = '#/components/schemas/';
const ObjectSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
const Shared = z.object({ $defs: z.record(z.string(), z.record(z.string(), z.unknown())) }).optional();

/** The schemas of all calls as OpenAPI components, each once, and functions that return references to them. */
export type OpenApiSchemas = {
  components: Record<string, JsonSchema>;
  /** Returns the reference to a request body's component. */
  input(schema: z.ZodType): JsonSchema;
  /** Returns the reference to a response's component. */
  output(schema: z.ZodType): JsonSchema;
  /** Returns the members of an object of parameters, in its order. */
  parameters(schema: z.ZodObject): { name: string; required: boolean; schema: unknown }[];
};

/**
 * Turns the schemas of `calls`, and `answers` that no call names, into components. A schema is named by its `meta({ id })`; one
 * without is named after the call that uses it: `createToken` gives `CreateTokenRequest`, `…Form` and `…Response`. A schema
 * whose request and response forms differ (defaults, conversions) appears twice, the request form as `…Input`. Throws when two
 * schemas have the same name.
 */
export function openApiSchemas(calls: Readonly<Record<string, Call>>, answers: readonly z.ZodType[]): OpenApiSchemas {
  const usedNames = new Map<string, z.ZodType>();
  const parameters = new NamedSchemas(usedNames);
  const sent = new NamedSchemas(usedNames);
  const answered = new NamedSchemas(usedNames);
  for (const schema of answers) answered.add(schema, undefined);
  for (const [operationId, call] of Object.entries(calls)) {
    const name = operationId.slice(0, 1).toUpperCase() + operationId.slice(1);
    parameters.add(call.params, `${name}Path`);
    parameters.add(call.query, `${name}Query`);
    sent.add(call.body, `${name}Request`);
    sent.add(call.upload?.json, `${name}Request`);
    sent.add(call.upload?.form, `${name}Form`);
    answered.add(call.response, `${name}Response`);
  }
  const outputs = answered.convert('output');
  const inputs = new Map([...parameters.convert('input'), ...sent.convert('input')]);
  const differing = differingNames(inputs, outputs);
  const inputName = (name: string) => (differing.has(name) ? `${name}Input` : name);
  const components = new Map(outputs);
  for (const [name, schema] of inputs) {
    if (differing.has(name) && components.has(`${name}Input`)) throw nameTaken(`${name}Input`);
    components.set(
      inputName(name),
      withReferences(schema, (other) => SCHEMA_PREFIX + inputName(other)),
    );
  }
  const memberSchemas = new Map(parameters.names().map((name) => [name, components.get(name)]));
  for (const name of memberSchemas.keys()) components.delete(name);
  return {
    components: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    input: (schema) => ({ $ref: SCHEMA_PREFIX + inputName(sent.nameOf(schema)) }),
    output: (schema) => ({ $ref: SCHEMA_PREFIX + answered.nameOf(schema) }),
    parameters: (schema) => membersOf(memberSchemas.get(parameters.nameOf(schema))),
  };
}

const nameTaken = (name: string) => new Error(`Two schemas of the API are named ${name}.`);

function membersOf(schema: JsonSchema | undefined): ReturnType<OpenApiSchemas['parameters']> {
  const { properties, required } = ObjectSchema.parse(schema);
  return Object.entries(properties).map(([name, member]) => ({
    name,
    required: required.includes(name),
    schema: member,
  }));
}

/** Schemas of requests or of responses. All directions share `usedNames`: a name means the same schema everywhere. */
class NamedSchemas {
  private readonly registry = z.registry<{ id: string }>();
  private readonly own: string[] = [];
  private readonly usedNames: Map<string, z.ZodType>;

  constructor(usedNames: Map<string, z.ZodType>) {
    this.usedNames = usedNames;
  }

  add(schema: z.ZodType | undefined, fallback: string | undefined): void {
    if (schema === undefined || this.registry.has(schema)) return;
    const name = z.globalRegistry.get(schema)?.id ?? fallback;
    if (name === undefined) throw new Error('A schema that no call names needs an id.');
    if ((this.usedNames.get(name) ?? schema) !== schema) throw nameTaken(name);
    this.usedNames.set(name, schema);
    this.own.push(name);
    this.registry.add(schema, { id: name });
  }

  names(): readonly string[] {
    return this.own;
  }

  nameOf(schema: z.ZodType): string {
    const name = this.registry.get(schema)?.id;
    if (name === undefined) throw new Error('This schema was not added.');
    return name;
  }

  /** Returns the JSON schemas, and all schemas they refer to, by name. */
  convert(io: 'input' | 'output'): Map<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.registry, {
      io,
      unrepresentable: 'any',
      // zod appends `#/$defs/<id>` to this name for a schema that is only part of others.
      uri: (id) => (id === '__shared' ? '' : SCHEMA_PREFIX + id),
      override: ({ zodSchema, jsonSchema }) => {
        // A response may gain members; a client generated from today's document must still be able to parse it.
        const { def } = zodSchema._zod;
        if (io === 'output' && def.type === 'object' && def.catchall === undefined)
          delete jsonSchema.additionalProperties;
      },
    });
    const { __shared: sharedSchemas, ...own } = schemas;
    const definitions = Object.entries({ ...Shared.parse(sharedSchemas)?.$defs, ...own });
    return new Map(
      definitions.map(([name, { $id: _id, $schema: _dialect, ...schema }]) => [
        name,
        withReferences(schema, (other) => SCHEMA_PREFIX + other),
      ]),
    );
  }
}

/** Returns the names whose request and response schemas differ, directly or through what they refer to. */
function differingNames(
  inputs: ReadonlyMap<string, JsonSchema>,
  outputs: ReadonlyMap<string, JsonSchema>,
): ReadonlySet<string> {
  const both = [...inputs].filter(([name]) => outputs.has(name));
  const differing = new Set(
    both.filter(([name, schema]) => !isDeepStrictEqual(schema, outputs.get(name))).map(([name]) => name),
  );
  for (let before = -1; before !== differing.size;) {
    before = differing.size;
    for (const [name, schema] of both) {
      withReferences(schema, (other) => {
        if (differing.has(other)) differing.add(name);
        return other;
      });
    }
  }
  return differing;
}

/** Returns a copy whose references use the component names that `rename` returns. */
function withReferences(schema: JsonSchema, rename: (name: string) => string): JsonSchema {
  const copied = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copied);
    return typeof value === 'object' && value !== null ? withReferences({ ...value }, rename) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? rename(value.slice(value.lastIndexOf('/') + 1)) : copied(value),
    ]),
  );
}
