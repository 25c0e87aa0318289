{{/*
The Deployment of a component. Takes a dict: root, component, image (of `images`), args.
*/}}
{{- define "sigcase.deployment" -}}
{{- $root := .root -}}
{{- $values := index .root.Values .component -}}
{{- $isScaled := dig "autoscaling" "enabled" false $values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: sigcase-{{ .component }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "sigcase.labels" (list $root .component) | nindent 4 }}
spec:
  {{- if not $isScaled }}
  replicas: {{ $values.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "sigcase.selector" (list $root .component) | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "sigcase.labels" (list $root .component) | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/environment: {{ include "sigcase.environment" $root | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: sigcase-{{ .component }}
      automountServiceAccountToken: {{ ne .component "worker" }}
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      securityContext:
        {{- include "sigcase.podSecurity" 65532 | nindent 8 }}
      {{- include "sigcase.pullSecrets" $root | nindent 6 }}
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- $spread := $values.topologySpread }}
        {{- $component := .component }}
        {{- range $key, $whenUnsatisfiable := dict "kubernetes.io/hostname" $spread.nodes "topology.kubernetes.io/zone" $spread.zones }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: {{ $whenUnsatisfiable }}
          labelSelector:
            matchLabels:
              {{- include "sigcase.selector" (list $root $component) | nindent 14 }}
          {{- if semverCompare ">=1.27-0" $root.Capabilities.KubeVersion.Version }}
          # Only pods of the same revision count, so that a rolling update ends evenly spread.
          matchLabelKeys: [pod-template-hash]
          {{- end }}
        {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "sigcase.image" (list $root (index $root.Values.images .image)) }}
          imagePullPolicy: {{ $root.Values.images.pullPolicy }}
          args: {{ toJson .args }}
          ports:
            {{- if eq .component "api" }}
            - name: http
              containerPort: {{ include "sigcase.apiPort" $root }}
            {{- end }}
            - name: operation
              containerPort: {{ include "sigcase.operationPort" $root }}
          envFrom:
            - configMapRef:
                name: sigcase-environment
          env:
            {{- include "sigcase.componentEnvironment" (list $root .component) | nindent 12 }}
          {{- include "sigcase.probes" .component | nindent 10 }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "sigcase.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            {{- include "sigcase.mounts" (list $root .component) | nindent 12 }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- if eq .component "worker" }}
        {{- include "sigcase.reader" $root | nindent 8 }}
        {{- with $values.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- end }}
      volumes:
        {{- include "sigcase.volumes" (list $root .component) | nindent 8 }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}

{{/*
The container that parses documents for the worker in the same pod. It has its own user and environment, and no
service account token and no Secrets. The group of the volume may connect to its socket. Takes the root.
*/}}
{{- define "sigcase.reader" -}}
- name: reader
  image: {{ include "sigcase.image" (list . .Values.images.deno) }}
  imagePullPolicy: {{ .Values.images.pullPolicy }}
  # It starts Deno, which the Node image does not contain. On Deno, a program that may start others needs all permissions.
  args: [run, --quiet, --no-prompt, --no-remote, --cached-only, --node-modules-dir=manual, --allow-all, runtime/dist/reader.js]
  env:
    - name: READER_SOCKET
      value: {{ include "sigcase.readerSocket" . }}
    - name: LOG_LEVEL
      value: {{ .Values.logLevel }}
    - name: SHUTDOWN_GRACE_MS
      value: {{ include "sigcase.shutdownGraceMs" (list . "worker") | quote }}
  resources:
    {{- toYaml .Values.worker.reader.resources | nindent 4 }}
  securityContext:
    runAsUser: 65533
    {{- include "sigcase.containerSecurity" . | nindent 4 }}
  volumeMounts:
    - name: reader-temporary
      mountPath: /tmp
    - name: reader
      mountPath: {{ include "sigcase.readerFolder" . }}
{{- end }}

{{- define "sigcase.pullSecrets" -}}
{{- with .Values.images.pullSecrets -}}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Liveness checks only the process itself; readiness also checks what it depends on. */}}
{{- define "sigcase.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: operation }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: operation }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: operation }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}
