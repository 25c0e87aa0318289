/** Reduces npm's list of all packages (CycloneDX) to those whose code an image contains. */

interface Property {
  name: string
  value: string
}

interface Component {
  'bom-ref': string
  scope?: string
  properties?: Property[]
}

interface Dependency {
  ref: string
  dependsOn?: string[]
}

/** The members that are used; others stay as they are. */
export interface BillOfMaterials {
  metadata: { component: Component & { name: string } }
  components: Component[]
  dependencies: Dependency[]
}

/** What runs is required, also where the repository needs it only to build. */
const asRequired = (component: Component): Component => ({
  ...component,
  scope: 'required',
  properties: component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development'),
})

/**
 * Leaves out what is not in an image.
 *
 * @param all what `npm sbom` prints of the whole repository
 * @param identifiers `name@version` of the packages in the image
 * @throws Error when a package is not listed
 */
export function reduceBill(all: BillOfMaterials, identifiers: Iterable<string>): BillOfMaterials {
  const { component } = all.metadata
  const kept = new Set(identifiers)
  const components = all.components.filter((one) => kept.has(one['bom-ref']))
  const listed = new Set(components.map((one) => one['bom-ref']))
  const missing = [...kept].filter((one) => !listed.has(one))
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`)
  const isKept = (ref: string) => kept.has(ref) || ref === component['bom-ref']
  return {
    ...all,
    // npm names it by the folder of the build.
    metadata: { ...all.metadata, component: { ...component, name: 'sigcase' } },
    components: components.map(asRequired),
    dependencies: all.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  }
}
