/** Builds the CustomResourceDefinitions from the schemas of the resources. */
import { dump } from 'js-yaml'
import { CUSTOM_RESOURCES, GROUP, VERSION, type CustomResource } from './resources.ts'
import { structuralSchema, unmetPaths } from './structural-schema.ts'

/** Maximum line width of the YAML files. */
const MAXIMUM_COLUMNS = 100

/**
 * Builds the definition of one resource.
 *
 * @throws Error when a CRD does not support the schema, or when an overlay path matches no member
 */
export function customResourceDefinition(resource: CustomResource) {
  const { kind, plural, singular, shortNames, scope, description, overlay } = resource
  const met = new Set<string>()
  const spec = structuralSchema(resource.spec, 'spec', overlay, met)
  const status = resource.status && structuralSchema(resource.status, 'status', overlay, met)
  const unmet = unmetPaths(overlay, met)
  if (unmet.length > 0) throw new Error(`${kind} has no ${unmet.join(', ')}`)
  const rules = overlay.rules?.[''] ?? []
  const openAPIV3Schema = {
    type: 'object',
    description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of the resource' },
      kind: { type: 'string', description: 'Kind of the resource' },
      metadata: { type: 'object' },
      spec,
      ...(status ? { status } : {}),
    },
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        shortNames,
        categories: ['sigcase'],
      },
      scope,
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          ...(status ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: resource.columns,
          schema: { openAPIV3Schema },
        },
      ],
    },
  }
}

/** Builds the YAML files of all definitions. @returns paths from the repository root, with texts */
export function definitionFiles(): [path: string, text: string][] {
  return CUSTOM_RESOURCES.map((resource) => {
    const definition = customResourceDefinition(resource)
    const text = dump(definition, { lineWidth: MAXIMUM_COLUMNS, noRefs: true })
    return [`crds/${definition.metadata.name}.yaml`, `# Made by \`npm run generate\`.\n${text}`]
  })
}
