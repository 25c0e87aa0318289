{{/*
Names are fixed: custom resource definitions and ClusterRoles are cluster-scoped, so a cluster can have only one
installation.
*/}}

{{/* Labels for selectors; they must never change. Takes (list root component). */}}
{{- define "sigcase.selector" -}}
app.kubernetes.io/name: sigcase
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* A version as the value of a label, which has no `+` and at most 63 characters. */}}
{{- define "sigcase.labelValue" -}}
{{ . | replace "+" "_" | trunc 63 | trimAll "-_." }}
{{- end }}

{{/* Labels of every object. Takes (list root component). */}}
{{- define "sigcase.labels" -}}
{{ include "sigcase.selector" . }}
app.kubernetes.io/version: {{ include "sigcase.labelValue" (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ include "sigcase.labelValue" (printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version) }}
{{- end }}

{{/* Reference of an image, by digest or tag; a tag has no `+`. Takes (list root image). */}}
{{- define "sigcase.image" -}}
{{- $image := index . 1 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default ((index . 0).Chart.AppVersion | replace "+" "_") }}
{{- end -}}
{{- end }}

{{/* Host name of the public URL of the service. */}}
{{- define "sigcase.host" -}}
{{ (urlParse .Values.baseUrl).host | regexFind "^[^:]+" }}
{{- end }}

{{/* Security context of every pod. Takes the numeric id of user and group. */}}
{{- define "sigcase.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* Security context of every container. */}}
{{- define "sigcase.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}
